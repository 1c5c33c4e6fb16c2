// Overloaded operators: arithmetic, comparison, subscript, call, increment, conversion, arrow, comma and literals.
#include <cstdio>
#include <cstddef>

struct Fraction {
    long n, d;
    static long gcd(long a, long b) { return b ? gcd(b, a % b) : a < 0 ? -a : a; }
    constexpr Fraction(long n = 0, long d = 1) : n(n), d(d) {}
    Fraction reduced() const
    {
        long g = gcd(n, d);
        return { n / g * (d < 0 ? -1 : 1), d / g * (d < 0 ? -1 : 1) };
    }
    Fraction operator+(const Fraction &o) const { return Fraction(n * o.d + o.n * d, d * o.d).reduced(); }
    Fraction operator-() const { return { -n, d }; }
    Fraction &operator+=(const Fraction &o) { return *this = *this + o; }
    friend Fraction operator*(Fraction a, Fraction b) { return Fraction(a.n * b.n, a.d * b.d).reduced(); }
    friend bool operator==(const Fraction &a, const Fraction &b) { return a.n * b.d == b.n * a.d; }
    friend bool operator<(const Fraction &a, const Fraction &b) { return a.n * b.d < b.n * a.d; }
    Fraction &operator++() { return *this += 1; }
    Fraction operator++(int)
    {
        Fraction old = *this;
        ++*this;
        return old;
    }
    explicit operator double() const { return static_cast<double>(n) / static_cast<double>(d); }
    explicit operator bool() const { return n != 0; }
    long operator()(long scale) const { return n * scale / d; }
};

static void show(const char *what, const Fraction &f) { std::printf("%s %ld/%ld\n", what, f.n, f.d); }

static constexpr Fraction operator""_half(unsigned long long v) { return Fraction(static_cast<long>(v), 2); }

class Grid {
    int cells_[3][4] = {};
    struct Row {
        int *row;
        int &operator[](std::size_t i) { return row[i]; }
    };

public:
    Row operator[](std::size_t r) { return { cells_[r] }; }
    int operator()(int r, int c) const { return cells_[r][c]; }
};

class Handle {
    Fraction f_{ 3, 4 };
    int uses_ = 0;

public:
    Fraction *operator->()
    {
        uses_++;
        return &f_;
    }
    Fraction &operator*() { return f_; }
    int uses() const { return uses_; }
};

struct Log {
    int digits = 0;
    Log &operator<<(int d)
    {
        digits = digits * 10 + d;
        return *this;
    }
    Log &operator,(int d) { return *this << d; }
};

int main()
{
    Fraction a(1, 3), b(-5, 6);
    show("sum", a + b);
    show("product", a * b * 4);
    show("negated", -(a + 2));
    a += b;
    show("compound", a);
    show("post", a++);
    show("pre", ++a);
    std::printf("compare %d %d %d\n", a < b, b < a, Fraction(2, 4) == 1_half);
    std::printf("convert %.4f %d %ld\n", static_cast<double>(b), a ? 1 : 0, a(100));
    Grid g;
    g[1][2] = 7;
    g[2][3] = g[1][2] * 3;
    std::printf("grid %d %d\n", g(1, 2), g(2, 3));
    Handle h;
    h->n = 9;
    long d = h->d;
    std::printf("handle %ld/%ld uses %d\n", (*h).n, d, h.uses());
    Log log;
    log << 1 << 2, 3, 4;
    std::printf("log %d\n", log.digits);
    return g(2, 3) + h.uses();
}
