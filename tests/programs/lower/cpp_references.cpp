// References: parameters, returns, members, arrays, const extension, rvalue overloads, reference collapse, aliasing.
#include <cstdio>
#include <utility>

static void swap_ints(int &a, int &b)
{
    int t = a;
    a = b;
    b = t;
}

static int &element(int (&array)[5], int i) { return array[i < 0 ? i + 5 : i]; }

template <int N> static int length(const int (&)[N]) { return N; }

static const char *which(int &) { return "lvalue"; }
static const char *which(const int &) { return "const"; }
static const char *which(int &&) { return "rvalue"; }
template <class T> static const char *forward(T &&v) { return which(std::forward<T>(v)); }

struct View {
    int &target;
    const long &constant;
    int bump() { return target += static_cast<int>(constant); }
};

struct Chain {
    int v = 1;
    Chain &add(int n)
    {
        v += n;
        return *this;
    }
    Chain &twice() &
    {
        v *= 2;
        return *this;
    }
    Chain twice() &&
    {
        v *= 20;
        return *this;
    }
};

static int make() { return 77; }

static int &largest(int &a, int &b, int &c)
{
    int &m = a > b ? a : b;
    return m > c ? m : c;
}

static void rebind(const int *&p, const int &to) { p = &to; }

int main()
{
    int a = 3, b = 8, c = 5;
    swap_ints(a, b);
    int &alias = a;
    alias += 100;
    std::printf("swap %d %d\n", a, b);
    int numbers[5] = { 1, 2, 3, 4, 5 };
    element(numbers, -1) = 50;
    element(numbers, 0)++;
    std::printf("elements %d %d length %d\n", numbers[0], numbers[4], length(numbers));
    const int &extended = make();
    int &&moved = make() + 1;
    moved++;
    std::printf("extended %d %d\n", extended, moved);
    const int constant = 4;
    std::printf("%s %s %s %s\n", which(a), which(constant), which(7), which(moved));
    std::printf("%s %s %s\n", forward(a), forward(constant), forward(7));
    long step = 10;
    View v{ b, step };
    v.bump();
    step = 1000;
    std::printf("view %d\n", v.bump());
    Chain chain;
    chain.add(4).twice().add(1);
    std::printf("chain %d %d\n", chain.v, Chain().add(2).v + Chain().twice().v);
    largest(a, b, c) = -1;
    largest(a, b, c) += 1;
    std::printf("largest %d %d %d\n", a, b, c);
    const int *p = &constant;
    rebind(p, numbers[2]);
    numbers[2] = 33;
    std::printf("rebound %d\n", *p);
    int *q = &c, *&rq = q;
    rq = &numbers[3];
    *q = 44;
    std::printf("pointer %d %d\n", numbers[3], &alias == &a);
    return chain.v + c;
}
