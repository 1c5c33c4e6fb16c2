// std::function and std::invoke: type erasure of functions, lambdas and members, copies, empty ones, callbacks.
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

static int twice(int v) { return v * 2; }

struct Multiplier {
    int factor;
    int operator()(int v) const { return v * factor; }
    int add(int v) const { return v + factor; }
};

struct Heavy {
    long payload[6];
    static int live;
    explicit Heavy(long n) : payload{ n, n + 1, n + 2 } { live++; }
    Heavy(const Heavy &o) : payload{ o.payload[0] + 100, o.payload[1], o.payload[2] } { live++; }
    ~Heavy() { live--; }
    int operator()(int v) const { return static_cast<int>(payload[1]) + v; }
};
int Heavy::live = 0;

class Button {
    std::vector<std::function<void(int)>> handlers_;

public:
    void on_press(std::function<void(int)> f) { handlers_.push_back(std::move(f)); }
    void press(int v) const
    {
        for (const auto &h : handlers_)
            h(v);
    }
};

static std::function<int(int)> compose(std::function<int(int)> f, std::function<int(int)> g)
{
    return [f = std::move(f), g = std::move(g)](int v) { return f(g(v)); };
}

int main()
{
    std::function<int(int)> f = twice;
    std::printf("function %d\n", f(21));
    f = Multiplier{ 5 };
    std::printf("object %d\n", f(21));
    int captured = 3;
    f = [&captured](int v) { return captured++ + v; };
    int first = f(10), second = f(10);
    std::printf("lambda %d %d captured %d\n", first, second, captured);
    std::function<int(int)> copy = f;
    f = nullptr;
    std::printf("empty %d copy %d\n", !f, copy(0));
    {
        std::function<int(int)> heavy = Heavy(7);
        std::function<int(int)> other = heavy;
        std::printf("heavy %d %d live %d\n", heavy(1), other(2), Heavy::live);
        std::swap(heavy, copy);
        std::printf("swapped %d live %d\n", copy(5), Heavy::live);
    }
    std::printf("live %d\n", Heavy::live);
    copy = nullptr;
    std::printf("live %d\n", Heavy::live);
    std::printf("composed %d\n", compose(twice, compose(Multiplier{ 3 }, [](int v) { return v - 1; }))(11));
    Multiplier m{ 8 };
    std::function<int(const Multiplier &, int)> member = &Multiplier::add;
    std::printf("member %d invoke %d %d\n", member(m, 2), std::invoke(&Multiplier::factor, m),
                std::invoke(&Multiplier::add, &m, 40));
    Button b;
    int log = 0;
    b.on_press([&](int v) { log = log * 10 + v; });
    b.on_press([&, n = 5](int v) { log = log * 10 + n + v; });
    b.press(1);
    b.press(2);
    std::printf("log %d\n", log);
    std::function<long(long)> factorial = [&](long n) { return n ? n * factorial(n - 1) : 1; };
    std::printf("factorial %ld\n", factorial(10));
    return log & 0x7f;
}
