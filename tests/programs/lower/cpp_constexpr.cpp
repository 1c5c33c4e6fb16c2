// constexpr: tables and functions evaluated by the compiler, used again at run time, literal classes and static_assert.
#include <array>
#include <cstdio>
#include <cstdint>

constexpr unsigned power(unsigned base, unsigned n) { return n ? base * power(base, n - 1) : 1; }

constexpr std::uint32_t hash(const char *s)
{
    std::uint32_t h = 2166136261u;
    while (*s)
        h = (h ^ static_cast<unsigned char>(*s++)) * 16777619u;
    return h;
}

template <std::size_t N> constexpr std::array<int, N> squares()
{
    std::array<int, N> a{};
    for (std::size_t i = 0; i < N; i++)
        a[i] = static_cast<int>(i * i);
    return a;
}

constexpr std::array<std::uint32_t, 16> crc_table()
{
    std::array<std::uint32_t, 16> t{};
    for (std::uint32_t i = 0; i < 16; i++) {
        std::uint32_t c = i;
        for (int k = 0; k < 4; k++)
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
        t[i] = c;
    }
    return t;
}

struct Point {
    int x, y;
    constexpr Point(int x, int y) : x(x), y(y) {}
    constexpr Point operator+(Point o) const { return { x + o.x, y + o.y }; }
    constexpr int dot(Point o) const { return x * o.x + y * o.y; }
};

constexpr Point origin{ 3, -4 };
constexpr auto table = squares<12>();
constexpr auto crc_nibbles = crc_table();
static_assert(power(3, 5) == 243 && table[11] == 121);
static_assert((origin + Point(1, 1)).dot(origin) == 24);

static std::uint32_t crc(const char *s)
{
    std::uint32_t c = ~0u;
    for (; *s; s++) {
        c ^= static_cast<unsigned char>(*s);
        c = c >> 4 ^ crc_nibbles[c & 15];
        c = c >> 4 ^ crc_nibbles[c & 15];
    }
    return ~c;
}

static const char *dispatch(const char *word)
{
    switch (hash(word)) {
    case hash("start"): return "starting";
    case hash("stop"): return "stopping";
    default: return "unknown";
    }
}

template <int N> struct Fibonacci {
    static constexpr long value = Fibonacci<N - 1>::value + Fibonacci<N - 2>::value;
};
template <> struct Fibonacci<0> { static constexpr long value = 0; };
template <> struct Fibonacci<1> { static constexpr long value = 1; };

constexpr int collatz(int n)
{
    int steps = 0;
    for (; n != 1; steps++)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return steps;
}

int main()
{
    unsigned n = 7;
    std::printf("power %u %u\n", power(2, 10), power(n, 3));
    constexpr int steps = collatz(27);
    std::printf("collatz %d %d\n", steps, collatz(static_cast<int>(n)));
    int sum = 0;
    for (int v : table)
        sum = sum * 2 + v;
    std::printf("table %d\n", sum);
    std::printf("hash %08x crc %08x\n", hash("constexpr"), crc("123456789"));
    std::printf("%s %s %s\n", dispatch("start"), dispatch("stop"), dispatch("pause"));
    Point p = origin + Point(static_cast<int>(n), 1);
    std::printf("point %d %d %d fibonacci %ld\n", p.x, p.y, p.dot(origin), Fibonacci<60>::value);
    return steps;
}
