// std::variant, std::optional and std::visit: alternatives of different types, changes of the active one.
#include <cstdio>
#include <optional>
#include <utility>
#include <variant>

struct Text {
    char letters[8];
    static int live;
    explicit Text(char c) : letters{ c, c, 0 } { live++; }
    Text(const Text &o) : letters{ o.letters[0], '+', 0 } { live++; }
    ~Text() { live--; }
};
int Text::live = 0;

using Value = std::variant<int, double, Text>;

struct Printer {
    int operator()(int v) const { return std::printf("int %d\n", v); }
    int operator()(double v) const { return std::printf("double %g\n", v); }
    int operator()(const Text &t) const { return std::printf("text %s\n", t.letters); }
};

template <class... F> struct Overloaded : F... {
    using F::operator()...;
};
template <class... F> Overloaded(F...) -> Overloaded<F...>;

static std::optional<int> parse_digit(char c)
{
    if (c < '0' || c > '9')
        return std::nullopt;
    return c - '0';
}

static std::optional<int> sum_digits(const char *s)
{
    int sum = 0;
    for (; *s; s++) {
        std::optional<int> d = parse_digit(*s);
        if (!d)
            return {};
        sum += *d;
    }
    return sum;
}

struct Add {
    int by;
};
struct Negate {};
struct Reset {};
using Command = std::variant<Add, Negate, Reset>;

static int run(const Command *commands, int n)
{
    int v = 0;
    auto step = Overloaded{ [&](Add a) { v += a.by; }, [&](Negate) { v = -v; }, [&](Reset) { v = 1; } };
    for (int i = 0; i < n; i++)
        std::visit(step, commands[i]);
    return v;
}

int main()
{
    Value v = 42;
    int printed = std::visit(Printer(), v);
    v = 2.5;
    printed += std::visit(Printer(), v);
    v = Text('a');
    printed += std::visit(Printer(), v);
    Value copy = v;
    std::printf("index %zu live %d holds %d\n", copy.index(), Text::live, std::holds_alternative<Text>(copy));
    copy = 7;
    std::printf("live %d value %d wrong %d\n", Text::live, *std::get_if<int>(&copy),
                std::get_if<double>(&copy) == nullptr);
    v.emplace<int>(1);
    std::printf("live %d printed %d\n", Text::live, printed);
    const Command commands[] = { Add{ 5 }, Negate{}, Add{ 2 }, Reset{}, Add{ 10 }, Negate{} };
    std::printf("commands %d %d\n", run(commands, 3), run(commands, 6));

    std::optional<int> good = sum_digits("12345"), bad = sum_digits("12x45");
    std::printf("optional %d %d %d\n", good.value_or(-1), bad.value_or(-1), good.has_value());
    bad = good;
    good.reset();
    *bad += 100;
    std::printf("optional %d %d %d\n", *bad, good < bad, good == std::nullopt);
    {
        std::optional<Text> t;
        t.emplace('q');
        std::optional<Text> u = t;
        std::printf("text %s %s live %d\n", t->letters, u->letters, Text::live);
        t.reset();
        std::printf("live %d\n", Text::live);
    }
    std::variant<std::monostate, int> empty;
    std::printf("monostate %zu live %d sizes %zu %zu\n", empty.index(), Text::live, sizeof good, sizeof v);
    return *bad;
}
