// Defaulted and three-way comparison: strong, weak and partial order, members, bases, arrays, rewritten operators.
// flags: -std=c++20
#include <algorithm>
#include <compare>
#include <cstdio>

struct Version {
    int major, minor, patch;
    auto operator<=>(const Version &) const = default;
};

struct Base {
    char tag;
    bool operator==(const Base &) const = default;
    auto operator<=>(const Base &) const = default;
};

struct Derived : Base {
    double weight;
    int list[2];
    auto operator<=>(const Derived &) const = default;
};

struct CaseInsensitive {
    char c;
    static char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
    std::weak_ordering operator<=>(const CaseInsensitive &o) const { return lower(c) <=> lower(o.c); }
    bool operator==(const CaseInsensitive &o) const { return lower(c) == lower(o.c); }
};

struct OnlyLess {
    int v;
    bool operator==(const OnlyLess &) const = default;
    std::strong_ordering operator<=>(const OnlyLess &o) const { return o.v <=> v; }
};

static const char *show(std::partial_ordering o)
{
    return o < 0 ? "less" : o > 0 ? "greater" : o == 0 ? "equal" : "unordered";
}

template <class T> static unsigned all(const T &a, const T &b)
{
    int equality = (a == b) | (a != b) << 1;
    return static_cast<unsigned>(equality | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5);
}

int main()
{
    Version versions[] = { { 1, 10, 0 }, { 1, 2, 9 }, { 0, 99, 99 }, { 1, 2, 10 } };
    std::sort(versions, versions + 4);
    for (const Version &v : versions)
        std::printf("%d.%d.%d ", v.major, v.minor, v.patch);
    std::printf("\n");
    std::printf("version %02x %02x %s\n", all(versions[0], versions[1]), all(versions[2], versions[2]),
                show(versions[3] <=> versions[0]));
    Derived a{ { 'a' }, 1.5, { 1, 2 } }, b{ { 'a' }, 1.5, { 1, 3 } }, nan{ { 'a' }, __builtin_nan(""), { 0, 0 } };
    std::printf("derived %02x %02x %s %s\n", all(a, b), all(b, a), show(a <=> b), show(a <=> nan));
    std::printf("nan %02x %02x\n", all(a, nan), all(nan, nan));
    std::printf("letters %02x %s\n", all(CaseInsensitive{ 'Q' }, CaseInsensitive{ 'q' }),
                show(CaseInsensitive{ 'B' } <=> CaseInsensitive{ 'a' }));
    std::printf("reversed %02x\n", all(OnlyLess{ 1 }, OnlyLess{ 2 }));
    std::printf("scalars %s %s %s\n", show(1 <=> 2), show(2.5 <=> 2.5), show(0.0 <=> __builtin_nan("")));
    auto ordering = 3u <=> 2u;
    std::printf("kinds %d %d %d\n", std::is_gt(ordering), std::is_lteq(ordering), std::is_neq(ordering));
    Version low = std::min(versions[1], versions[2]), high = std::max({ versions[0], versions[3], versions[1] });
    std::printf("extremes %d %d\n", low.patch, high.minor);
    return static_cast<int>(all(a, b));
}
