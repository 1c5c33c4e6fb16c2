// noexcept functions, the noexcept operator, cleanups on paths that never throw, and moves chosen by noexcept.
#include <cstdio>
#include <utility>
#include <vector>

static int log_value;

struct Guard {
    int id;
    explicit Guard(int i) : id(i) {}
    ~Guard() { log_value = log_value * 10 + id; }
};

static int may_throw(int v)
{
    if (v < -1000)
        throw v;
    return v + 1;
}

static int never_throws(int v) noexcept
{
    Guard g(1);
    return may_throw(v) + may_throw(v * 2);
}

static int cleanup(int v)
{
    Guard outer(2);
    int first = may_throw(v);
    {
        Guard inner(3);
        first += may_throw(first);
        if (first > 20)
            return first;
    }
    return first + never_throws(first);
}

struct Movable {
    int v;
    static int copied, moved;
    explicit Movable(int v) : v(v) {}
    Movable(const Movable &o) : v(o.v) { copied++; }
    Movable(Movable &&o) noexcept : v(o.v) { moved++; }
};
int Movable::copied = 0;
int Movable::moved = 0;

struct Careful {
    int v;
    static int copied;
    explicit Careful(int v) : v(v) {}
    Careful(const Careful &o) : v(o.v) { copied++; }
    Careful(Careful &&o) noexcept(false) : v(o.v) {}
};
int Careful::copied = 0;

template <class T> static void exchange(T &a, T &b) noexcept(noexcept(T(std::move(a))))
{
    T t(std::move(a));
    a.v = b.v;
    b.v = t.v;
}

struct Quiet {
    int value = 9;
    virtual int get() const noexcept { return value; }
    virtual ~Quiet() = default;
};
struct Louder : Quiet {
    int get() const noexcept override { return value * 2; }
};

int main()
{
    int never = never_throws(5);
    std::printf("never %d log %d\n", never, log_value);
    log_value = 0;
    int a = cleanup(3);
    std::printf("cleanup %d", a);
    std::printf(" log %d\n", log_value);
    log_value = 0;
    int b = cleanup(30);
    std::printf("cleanup %d", b);
    std::printf(" log %d\n", log_value);
    std::vector<Movable> movables;
    std::vector<Careful> carefuls;
    for (int i = 0; i < 5; i++) {
        movables.emplace_back(i);
        carefuls.emplace_back(i * i);
    }
    std::printf("copied %d moved %d careful %d\n", Movable::copied, Movable::moved, Careful::copied);
    exchange(movables[0], movables[4]);
    std::printf("exchanged %d %d noexcept %d %d\n", movables[0].v, movables[4].v,
                noexcept(exchange(movables[0], movables[1])), noexcept(exchange(carefuls[0], carefuls[1])));
    Louder l;
    const Quiet &q = l;
    int (*pointer)(int) noexcept = never_throws;
    std::printf("virtual %d pointer %d operator %d %d\n", q.get(), pointer(1), noexcept(never_throws(1)),
                noexcept(may_throw(1)));
    return a + carefuls[4].v;
}
