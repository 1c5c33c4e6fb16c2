// static inline, extern inline with C99 semantics, always_inline, noinline and gnu_inline functions.
#include <stdio.h>
#include <stdlib.h>

static inline int square(int v) { return v * v; }

inline int cube(int v) { return v * v * v; }
extern inline int cube(int v);

__attribute__((always_inline)) static inline unsigned mix(unsigned a, unsigned b)
{
    return (a << 5 | a >> 27) ^ b * 0x9e3779b1u;
}

__attribute__((noinline)) static int barrier(int v) { return v ^ 0x55; }

extern inline __attribute__((gnu_inline)) int maybe(int v) { return v + 1; }
int maybe(int v) { return v + 1; }

static inline int counter(void)
{
    static int calls;
    return ++calls;
}

static inline int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static inline __attribute__((pure)) int length(const char *s)
{
    int n = 0;
    while (s[n])
        n++;
    return n;
}

static __attribute__((const)) int parity(unsigned v)
{
    v ^= v >> 16;
    v ^= v >> 8;
    v ^= v >> 4;
    return 0x6996 >> (v & 15) & 1;
}

static _Noreturn void finish(int status)
{
    printf("finish %d\n", status);
    exit(status);
}

int main(void)
{
    printf("square %d cube %d\n", square(12), cube(-5));
    int (*f)(int) = cube, (*g)(int) = square;
    printf("pointers %d %d\n", f(3), g(4));
    unsigned h = 1;
    for (unsigned i = 0; i < 5; i++) {
        h = mix(h, i);
        printf("mix %08x\n", h);
    }
    printf("barrier %d maybe %d\n", barrier(100), maybe(41));
    int calls = 0;
    for (int i = 0; i < 3; i++)
        calls = counter();
    printf("counter %d\n", calls);
    printf("fibonacci %d length %d parity %d %d\n", fibonacci(12), length("inline"), parity(7), parity(0xf0f0));
    if (calls == 3)
        finish(fibonacci(9));
    return 1;
}
