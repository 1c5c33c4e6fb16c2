// Hints that must not change results: expect, assume, unreachable, prefetch, constant_p, object_size, assume_aligned.
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef __clang__
#define __builtin_assume(x) ((void)(x))
#define __builtin_nondeterministic_value(x) (x)
#endif

static int classify(int v)
{
    if (__builtin_expect(v < 0, 0))
        return -1;
    if (__builtin_expect_with_probability(v > 100, 1, 0.9))
        return 1;
    return 0;
}

static unsigned day_index(int day)
{
    __builtin_assume(day >= 0 && day < 7);
    switch (day) {
    case 0: return 70;
    case 1: case 2: case 3: return 71;
    case 4: case 5: case 6: return 72;
    }
    __builtin_unreachable();
}

static long sum(const long *values, int n)
{
    const long *v = __builtin_assume_aligned(values, 16);
    long total = 0;
    for (int i = 0; i < n; i++) {
        __builtin_prefetch(&v[i + 1 < n ? i + 1 : i], 0, 3);
        total += v[i];
    }
    return total;
}

static int power(int base, int n)
{
    int r = 1;
    if (__builtin_constant_p(n) && n == 2)
        return base * base;
    while (n-- > 0)
        r *= base;
    return r;
}

static size_t room(char *buffer)
{
    size_t known = __builtin_object_size(buffer, 0);
    return known == (size_t)-1 || known == 24 ? 24 : 0;
}

static int frozen(int v)
{
    int anything = __builtin_nondeterministic_value(v);
    return (anything & 0) + (anything ^ anything) + v;
}

static __attribute__((cold, noinline)) int rare(int v) { return v * 3; }
static __attribute__((hot)) int common(int v) { return v > 5 ? rare(v) : v; }

static void *where(void) { return __builtin_frame_address(0); }

int main(void)
{
    printf("classify %d %d %d\n", classify(-3), classify(50), classify(500));
    for (int d = 0; d < 7; d++)
        printf("%u ", day_index(d));
    _Alignas(16) long values[5] = { 1, -2, 3, -4, 1L << 35 };
    printf("\nsum %ld\n", sum(values, 5));
    printf("power %d %d\n", power(7, 2), power(3, 4));
    char buffer[24];
    printf("room %zu\n", room(buffer));
    printf("frozen %d\n", frozen(42));
    printf("common %d %d\n", common(4), common(40));
    printf("frame %d\n", where() != NULL && __builtin_return_address(0) != NULL);
    long expected = __builtin_expect(values[2], 3);
    printf("expected %ld choose %d\n", expected, __builtin_choose_expr(sizeof(long) == 8, 64, 32));
    return (int)expected + 20;
}
