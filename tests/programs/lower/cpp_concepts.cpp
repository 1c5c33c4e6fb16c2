// Concepts and constraints: overloads chosen by requirements, constrained classes, abbreviated templates, consteval.
// flags: -std=c++20
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <type_traits>

template <class T> concept Number = std::integral<T> || std::floating_point<T>;
template <class T> concept Container = requires(const T &c) {
    { c.size() } -> std::convertible_to<std::size_t>;
    c[0];
};
template <class T> concept Shape = requires(T s) {
    { s.area() } -> std::same_as<double>;
    typename T::unit;
};

struct Meters {};
struct Square {
    using unit = Meters;
    double side;
    double area() const { return side * side; }
};
struct Fake {
    double area() const { return -1; }
};

static const char *kind(auto) { return "anything"; }
static const char *kind(Number auto) { return "number"; }
static const char *kind(std::integral auto) { return "integer"; }
template <class T> requires std::integral<T> && (sizeof(T) == 1) static const char *kind(T) { return "byte"; }

template <Container C> static auto total(const C &c)
{
    auto sum = c[0];
    for (std::size_t i = 1; i < c.size(); i++)
        sum += c[i];
    return sum;
}

template <Number T, std::size_t N> class Vec {
    T cells_[N];

public:
    template <class... A> requires(sizeof...(A) == N) explicit Vec(A... a) : cells_{ static_cast<T>(a)... } {}
    std::size_t size() const { return N; }
    T operator[](std::size_t i) const { return cells_[i]; }
    T cross(const Vec &o) const requires(N == 2) { return cells_[0] * o[1] - cells_[1] * o[0]; }
};

static double measure(Shape auto const &s) { return s.area(); }
template <class T> static double measure(const T &s) { return s.area() * 1000; }

consteval int at_compile_time(int n) { return n * n + 1; }
constinit int initialized = at_compile_time(6);

template <class F> requires std::invocable<F, int> static int twice(F f, int v) { return f(f(v)); }

int main()
{
    std::printf("%s %s %s %s\n", kind("text"), kind(1.5), kind(7), kind('c'));
    Vec<int, 3> v(1, 2, 39);
    Vec<double, 2> a(1, 2.5), b(-4, 8);
    std::printf("total %d %g cross %g\n", total(v), total(a), a.cross(b));
    std::printf("measure %g %g\n", measure(Square{ 3 }), measure(Fake{}));
    std::printf("concepts %d %d %d\n", Shape<Square>, Shape<Fake>, Container<Vec<int, 2>>);
    initialized += at_compile_time(2);
    std::printf("initialized %d\n", initialized);
    std::printf("twice %d\n", twice([](int n) { return n * 3 - 1; }, 5));
    auto generic = []<class T>(T x, T y) requires Number<T> { return x < y ? y : x; };
    std::printf("generic %d %g\n", generic(3, 9), generic(2.5, -1.0));
    return total(v);
}
