// Lambdas: captures by value and reference, mutable state, init captures, recursion, conversion to function pointers.
#include <cstdio>
#include <utility>

template <class F> static int apply(F f, int v) { return f(f(v)); }
static int call(int (*f)(int), int v) { return f(v); }

static auto make_adder(int n)
{
    return [n](int v) { return v + n; };
}

static auto compose = [](auto f, auto g) { return [=](auto v) { return f(g(v)); }; };

class Account {
    int balance_ = 100;

public:
    auto depositor()
    {
        return [this](int v) { return balance_ += v; };
    }
    auto snapshot() const
    {
        return [*this] { return balance_; };
    }
};

struct Resource {
    int id;
    explicit Resource(int i) : id(i) {}
    Resource(Resource &&o) noexcept : id(std::exchange(o.id, -1)) {}
    Resource(const Resource &) = delete;
    ~Resource() { std::printf("~%d ", id); }
};

int main()
{
    int base = 10, calls = 0;
    auto by_value = [base](int v) { return base + v; };
    auto by_reference = [&](int v) {
        calls++;
        return base * v;
    };
    base = 20;
    std::printf("captures %d %d\n", by_value(1), by_reference(2));
    std::printf("apply %d %d\n", apply(by_value, 5), apply(by_reference, 3));
    auto counter = [n = 0]() mutable { return n += 3; };
    auto copy = counter;
    int a = counter(), b = counter(), c = copy();
    std::printf("mutable %d %d %d calls %d\n", a, b, c, calls);
    auto factorial = [](auto self, unsigned long n) -> unsigned long { return n ? n * self(self, n - 1) : 1; };
    std::printf("recursive %lu\n", factorial(factorial, 12));
    std::printf("pointer %d\n", call([](int v) { return v * v; }, 9));
    int (*plain)(int) = +[](int v) { return -v; };
    std::printf("plain %d\n", plain(4));
    auto add5 = make_adder(5);
    auto both = compose(add5, [](int v) { return v * 100; });
    std::printf("compose %d %zu\n", both(2), sizeof add5);
    Account account;
    auto snapshot = account.snapshot();
    auto deposit = account.depositor();
    deposit(50);
    int now = deposit(-30);
    std::printf("this %d snapshot %d now %d\n", now, snapshot(), account.snapshot()());
    {
        auto owner = [r = Resource(7)] { return r.id; };
        auto moved = std::move(owner);
        std::printf("owner %d moved %d ", owner(), moved());
    }
    std::printf("\n");
    int table[3] = { 1, 2, 3 };
    auto [x, y, z] = table;
    auto sum = [x = x, y = y, z = z, &table] { return x + y + z + table[0]; };
    table[0] = 100;
    std::printf("array %d, immediate %d\n", sum(), [](int v) { return v + 1; }(41));
    return b * 10 + calls;
}
