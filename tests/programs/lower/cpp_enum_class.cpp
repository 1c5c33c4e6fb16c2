// Scoped enumerations: underlying types, flags with operators, switches, casts, arrays indexed by them, and templates.
#include <cstdio>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

enum class Color : std::uint8_t { Red = 1, Green, Blue = 200 };
enum class Level : int { Low = -5, Mid, High = 5 };
enum class Huge : std::uint64_t { One = 1, Top = 1ull << 63 };
enum Plain : short { A = 10, B };

enum class Access : unsigned { None = 0, Read = 1, Write = 2, Execute = 4 };
constexpr Access operator|(Access a, Access b)
{
    return static_cast<Access>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr Access operator&(Access a, Access b)
{
    return static_cast<Access>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}
constexpr Access operator~(Access a) { return static_cast<Access>(~static_cast<unsigned>(a) & 7); }
static Access &operator|=(Access &a, Access b) { return a = a | b; }
constexpr bool any(Access a) { return a != Access::None; }

template <class E> constexpr auto underlying(E e) { return static_cast<std::underlying_type_t<E>>(e); }

static const char *name(Color c)
{
    switch (c) {
    case Color::Red: return "red";
    case Color::Green: return "green";
    case Color::Blue: return "blue";
    }
    return "invalid";
}

static Level next(Level l)
{
    switch (l) {
    case Level::Low: return Level::Mid;
    case Level::Mid: return Level::High;
    case Level::High: break;
    }
    return Level::Low;
}

template <Color C> struct Paint {
    static constexpr int price = underlying(C) * 3;
};

enum class Day { Mon, Tue, Wed, Count };
static const int hours[static_cast<int>(Day::Count)] = { 8, 6, 4 };
static Day &operator++(Day &d)
{
    return d = static_cast<Day>((static_cast<int>(d) + 1) % static_cast<int>(Day::Count));
}

int main()
{
    for (Color c : { Color::Red, Color::Green, Color::Blue, static_cast<Color>(77) })
        std::printf("%s %d\n", name(c), underlying(c));
    Level l = Level::Low;
    for (int i = 0; i < 4; i++) {
        std::printf("%d ", underlying(l));
        l = next(l);
    }
    std::printf("less %d\n", Level::Low < Level::High);
    Access a = Access::Read;
    a |= Access::Execute;
    std::printf("access %u %d %d inverse %u\n", underlying(a), any(a & Access::Write), any(a & Access::Execute),
                underlying(~a));
    std::printf("huge %llx size %zu %zu %zu\n", static_cast<unsigned long long>(underlying(Huge::Top)), sizeof(Huge),
                sizeof(Color), sizeof(Plain));
    std::printf("plain %d paint %d\n", A + B, Paint<Color::Blue>::price);
    Day d = Day::Mon;
    int total = 0;
    for (int i = 0; i < 7; i++, ++d)
        total += hours[static_cast<int>(d)];
    std::printf("hours %d end %d\n", total, static_cast<int>(d));
    Color from_int = static_cast<Color>(static_cast<int>(Color::Blue) + 60);
    std::printf("wrapped %d\n", underlying(from_int));
    return total;
}
