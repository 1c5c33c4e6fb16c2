// Structured bindings of arrays, structs, pairs, tuples, bit-fields and a custom tuple-like type.
#include <cstdio>
#include <map>
#include <tuple>
#include <utility>
#include "support/rb_tree.h"

struct Point {
    int x, y;
};

struct Flags {
    unsigned low : 3;
    unsigned high : 5;
    double weight;
};

class Custom {
    int a_ = 7;
    const char *b_ = "custom";

public:
    template <std::size_t I> auto get() const
    {
        if constexpr (I == 0)
            return a_;
        else
            return b_;
    }
};

namespace std {
template <> struct tuple_size<Custom> : integral_constant<size_t, 2> {};
template <> struct tuple_element<0, Custom> { using type = int; };
template <> struct tuple_element<1, Custom> { using type = const char *; };
}

static Point make(int n) { return { n, n * n }; }

static std::tuple<int, double, char> parts(double v)
{
    int whole = static_cast<int>(v);
    return { whole, v - whole, v < 0 ? '-' : '+' };
}

static std::pair<int, int> divide(int a, int b) { return { a / b, a % b }; }

int main()
{
    int numbers[3] = { 1, 2, 3 };
    auto [a, b, c] = numbers;
    auto &[ra, rb, rc] = numbers;
    ra = 10;
    rc += a + b + c;
    std::printf("array %d %d %d, %d %d %d\n", a, b, c, numbers[0], rb, numbers[2]);
    auto [x, y] = make(6);
    Point p{ 1, 2 };
    auto &[px, py] = p;
    std::swap(px, py);
    std::printf("point %d %d, %d %d\n", x, y, p.x, p.y);
    Flags f{ 5, 21, 0.5 };
    auto &[low, high, weight] = f;
    low += 4;
    high = high * 2 + 1;
    weight = -weight;
    std::printf("flags %u %u %g\n", f.low, f.high, f.weight);
    auto [whole, fraction, sign] = parts(-3.25);
    std::printf("tuple %d %g %c\n", whole, fraction, sign);
    const auto &[quotient, remainder] = divide(47, 9);
    std::printf("pair %d %d\n", quotient, remainder);
    auto [id, name] = Custom();
    std::printf("custom %d %s\n", id, name);
    std::map<int, const char *> names = { { 2, "two" }, { 1, "one" } };
    for (auto &[key, value] : names) {
        std::printf("%d=%s ", key, value);
        value = "seen";
    }
    if (auto [it, inserted] = names.emplace(1, "again"); !inserted)
        std::printf("kept %s\n", it->second);
    int first;
    std::tie(first, std::ignore) = divide(100, 7);
    std::printf("tie %d\n", first);
    auto lambda = [x = x, w = whole] { return x + w; };
    std::printf("captured %d\n", lambda());
    return quotient * 10 + remainder;
}
