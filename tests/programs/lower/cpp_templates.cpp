// Templates: functions, classes, specializations, non-type parameters, members, recursion at compile time, CRTP.
#include <cstdio>
#include <type_traits>

template <class T> T largest(T a, T b) { return a > b ? a : b; }
template <> const char *largest(const char *a, const char *b) { return a[0] > b[0] ? a : b; }

template <class T, int N> class Stack {
    T items_[N];
    int used_ = 0;

public:
    bool push(T v)
    {
        if (used_ == N)
            return false;
        items_[used_++] = v;
        return true;
    }
    T pop() { return items_[--used_]; }
    int size() const { return used_; }
    template <class F> auto fold(F f, decltype(f(T(), T())) start) const
    {
        for (int i = 0; i < used_; i++)
            start = f(start, items_[i]);
        return start;
    }
};

template <int N> class Stack<bool, N> {
    unsigned long bits_ = 0;
    int used_ = 0;

public:
    bool push(bool b)
    {
        bits_ |= static_cast<unsigned long>(b) << used_++;
        return used_ <= N;
    }
    unsigned long bits() const { return bits_; }
};

template <unsigned N> struct Factorial { static constexpr unsigned long value = N * Factorial<N - 1>::value; };
template <> struct Factorial<0> { static constexpr unsigned long value = 1; };

template <class Self> struct Comparable {
    bool operator>(const Self &o) const { return o < static_cast<const Self &>(*this); }
};
struct Money : Comparable<Money> {
    int cents;
    explicit Money(int c) : cents(c) {}
    bool operator<(const Money &o) const { return cents < o.cents; }
};

template <class T> const char *kind(T)
{
    if constexpr (std::is_pointer_v<T>)
        return "pointer";
    else if constexpr (std::is_floating_point_v<T>)
        return "floating";
    else
        return sizeof(T) > 4 ? "wide" : "narrow";
}

template <class T> struct Counted {
    static int made;
    Counted() { made++; }
};
template <class T> int Counted<T>::made = 0;

static int plus(int a, int b) { return a * 2 + b; }

int main()
{
    std::printf("largest %d %.1f %s\n", largest(3, 9), largest(2.5, -1.0), largest("apple", "pear"));
    Stack<int, 4> s;
    int pushed = 0;
    for (int i = 1; i < 8; i++)
        pushed += s.push(i * i);
    std::printf("pushed %d fold %d", pushed, s.fold(plus, 0));
    std::printf(" lambda %.2f", s.fold([](double a, double b) { return a / 2 + b; }, 0.0));
    int popped = s.pop();
    std::printf(" popped %d size %d\n", popped, s.size());
    Stack<bool, 40> b;
    for (int i = 0; i < 40; i++)
        b.push(i % 3 == 0);
    std::printf("bits %lx factorial %lu\n", b.bits(), Factorial<15>::value);
    Money cheap(5), dear(500);
    std::printf("money %d %d %d\n", dear > cheap, cheap > dear, largest(cheap, dear).cents);
    std::printf("%s %s %s %s\n", kind(1), kind(1L), kind(1.0f), kind(&popped));
    Counted<int> c1, c2;
    Counted<char> c3;
    (void)c1, (void)c2, (void)c3;
    std::printf("counted %d %d\n", Counted<int>::made, Counted<char>::made);
    return popped + s.size();
}
