// Variadic templates: packs, fold expressions, index sequences, perfect forwarding, tuples by hand and std::tuple.
#include <cstdio>
#include <cstddef>
#include <tuple>
#include <utility>

template <class... T> auto sum(T... v) { return (v + ... + 0); }
template <class... T> bool all(T... v) { return (... && v); }
template <class... T> constexpr std::size_t bytes() { return (sizeof(T) + ... + 0u); }

static void print(int v) { std::printf("i%d ", v); }
static void print(double v) { std::printf("d%g ", v); }
static void print(const char *v) { std::printf("s%s ", v); }
static void print(char v) { std::printf("c%c ", v); }

template <class... T> void print_all(const T &...v)
{
    (print(v), ...);
    std::printf("(%zu)\n", sizeof...(v));
}

template <class... T> struct Tuple;
template <> struct Tuple<> {};
template <class H, class... R> struct Tuple<H, R...> : Tuple<R...> {
    H head;
    constexpr Tuple(H h, R... r) : Tuple<R...>(r...), head(h) {}
};

template <std::size_t I, class H, class... R> auto &get(Tuple<H, R...> &t)
{
    if constexpr (I == 0)
        return t.head;
    else
        return get<I - 1>(static_cast<Tuple<R...> &>(t));
}

template <class F, class T, std::size_t... I> auto apply_with(F f, T &t, std::index_sequence<I...>)
{
    return f(std::get<I>(t)...);
}

struct Spy {
    int copies = 0, moves = 0;
    Spy() = default;
    Spy(const Spy &o) : copies(o.copies + 1), moves(o.moves) {}
    Spy(Spy &&o) noexcept : copies(o.copies), moves(o.moves + 1) {}
};

static int sink(Spy s, int n) { return s.copies * 100 + s.moves * 10 + n; }
template <class... T> int forward(T &&...v) { return sink(std::forward<T>(v)...); }

template <int... N> struct List {
    static constexpr int values[] = { N... };
    static constexpr int product = (N * ...);
};

int main()
{
    std::printf("sums %d %g %d\n", sum(1, 2, 3), sum(1, 2.5), sum());
    std::printf("all %d %d bytes %zu\n", all(true, 1 < 2), all(true, false, true), bytes<char, int, double>());
    print_all(1, 2.5, "three", '4');
    print_all();
    Tuple<int, double, const char *> t(7, 0.5, "tail");
    get<0>(t) *= 3;
    get<1>(t) += 1;
    std::printf("tuple %d %g %s\n", get<0>(t), get<1>(t), get<2>(t));
    auto s = std::make_tuple(4, 2.5, 'x');
    double r = apply_with([](int a, double b, char c) { return a * b + c; }, s, std::make_index_sequence<3>());
    std::get<0>(s)++;
    std::printf("std tuple %g %d %d\n", r, std::get<0>(s), s < std::make_tuple(5, 2.5, 'y'));
    Spy spy;
    std::printf("forward %d %d\n", forward(spy, 1), forward(Spy(), 2));
    int total = 0;
    for (int v : List<2, 3, 5, 7>::values)
        total += v;
    std::printf("list %d %d\n", total, List<2, 3, 5, 7>::product);
    return List<2, 3, 5>::product;
}
