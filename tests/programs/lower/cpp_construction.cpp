// Constructors and destructors: order of members, bases, temporaries, arrays and scopes, including early returns.
#include <cstdio>

struct Noisy {
    const char *name;
    int id;
    Noisy(const char *n, int i) : name(n), id(i) { std::printf("+%s%d ", name, id); }
    ~Noisy() { std::printf("-%s%d ", name, id); }
};

struct Base {
    Noisy part{ "base", 1 };
    Base() { std::printf("Base "); }
    ~Base() { std::printf("~Base "); }
};

struct Derived : Base {
    Noisy second, first;
    int sum;
    explicit Derived(int n) : second("second", n), first("first", n + 1), sum(second.id + first.id)
    {
        std::printf("Derived(%d) ", sum);
    }
    Derived() : Derived(50) { std::printf("delegated "); }
    ~Derived() { std::printf("~Derived "); }
};

static int early(int n)
{
    Noisy a("a", n);
    if (n == 0)
        return a.id;
    Noisy b("b", n);
    for (int i = 0; i < n; i++) {
        Noisy loop("loop", i);
        if (i == 1)
            break;
        if (i == 0)
            continue;
        std::printf("unreached ");
    }
    return b.id * 10;
}

struct Counter {
    static int live;
    int tag;
    Counter() : tag(live++) {}
    ~Counter() { live--; std::printf("~%d ", tag); }
};
int Counter::live = 0;

static void line() { std::printf("\n"); }

int main()
{
    {
        Derived d(7);
        line();
    }
    line();
    {
        Derived d;
    }
    line();
    int results = early(0);
    line();
    results += early(3);
    line();
    {
        Counter three[3];
        std::printf("live %d ", Counter::live);
    }
    line();
    int id = Noisy("temporary", 5).id + Noisy("other", 6).id;
    line();
    const Noisy &kept = Noisy("extended", 8);
    std::printf("kept %d ", kept.id);
    line();
    std::printf("results %d %d live %d\n", results, id, Counter::live);
    return results + id;
}
