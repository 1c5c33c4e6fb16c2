// Namespaces, inline variables, inline functions, anonymous and nested namespaces, using declarations and ADL.
#include <cstdio>

inline int shared_counter = 10;
inline const char *const banner = "inline";

namespace outer {
int value = 1;
namespace inner {
int value = 2;
int sum() { return value + outer::value; }
}
inline namespace v2 {
int version() { return 2; }
struct Tag {
    int n;
};
int describe(Tag t) { return t.n * 100; }
}
namespace v1 {
int version() { return 1; }
}
}

namespace outer::inner::deep {
struct Counter {
    static inline int made = 0;
    static inline int limits[3] = { 3, 6, 9 };
    int id = ++made;
    static constexpr double ratio = 0.25;
};
}

namespace {
int hidden = 50;
int bump() { return ++hidden; }
}

namespace shapes {
struct Circle {
    double r;
};
double area(const Circle &c) { return 3 * c.r * c.r; }
namespace literals {
double operator""_cm(long double v) { return static_cast<double>(v) / 100; }
}
}

namespace alias = outer::inner::deep;
using outer::inner::sum;

template <class T> struct Config {
    static inline T current = T(7);
    static T next() { return current += T(2); }
};

extern "C" {
int c_style(int v) { return v ^ 0xff; }
}

namespace a {
void emit(int v) { std::printf("a:%d ", v); }
}
namespace b {
void emit(double v) { std::printf("b:%g ", v); }
}

int main()
{
    shared_counter += 5;
    std::printf("%s %d\n", banner, shared_counter);
    int value = 3;
    std::printf("values %d %d %d sum %d\n", value, outer::value, outer::inner::value, sum());
    std::printf("versions %d %d %d\n", outer::version(), outer::v1::version(), outer::v2::version());
    std::printf("lookup %d %g\n", describe(outer::Tag{ 4 }), area(shapes::Circle{ 2 }));
    alias::Counter c1, c2;
    alias::Counter::limits[1] += c2.id;
    std::printf("static %d %d %d %g\n", c1.id, alias::Counter::made, alias::Counter::limits[1], alias::Counter::ratio);
    bump();
    std::printf("hidden %d\n", bump());
    {
        using namespace shapes::literals;
        std::printf("literal %g\n", 250.0_cm);
    }
    int before = Config<int>::next();
    std::printf("config %d %g %d\n", before, Config<double>::next(), Config<int>::next());
    std::printf("c %d\n", c_style(0x0f));
    {
        using namespace a;
        using namespace b;
        emit(1);
        emit(2.5);
    }
    std::printf("\n");
    return hidden;
}
