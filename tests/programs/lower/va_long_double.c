// Variadic long doubles, __int128 and over-aligned values: arguments that live in memory with their own alignment.
#include <stdio.h>
#include <stdarg.h>

typedef __int128 i128;

static long double sum(int count, ...)
{
    long double total = 0;
    va_list ap;
    va_start(ap, count);
    while (count--)
        total += va_arg(ap, long double);
    va_end(ap);
    return total;
}

static long long mixed(const char *kinds, ...)
{
    long long digest = 1;
    va_list ap;
    va_start(ap, kinds);
    for (; *kinds; kinds++) {
        long long v = 0;
        switch (*kinds) {
        case 'i': v = va_arg(ap, int); break;
        case 'd': v = (long long)(va_arg(ap, double) * 8); break;
        case 'L': v = (long long)(va_arg(ap, long double) * 8); break;
        case 'q': v = (long long)(va_arg(ap, i128) >> 60); break;
        }
        printf("%c %lld\n", *kinds, v);
        digest = digest % 1000003 * 31 + v;
    }
    va_end(ap);
    return digest;
}

static long double largest(long double first, int count, ...)
{
    va_list ap;
    va_start(ap, count);
    while (count--) {
        long double v = va_arg(ap, long double);
        if (v > first)
            first = v;
    }
    va_end(ap);
    return first;
}

int main(void)
{
    printf("sum %.4Lf\n", sum(4, 1.5L, 2.25L, -0.125L, 1e6L));
    i128 big = (i128)5 << 70;
    long long d = mixed("iLiqiiiiLqdddddddddLi", 1, 2.5L, -3, big, 4, 5, 6, 7, 0.125L, -big, .5, .25, 1., 2., 3., 4.,
                        5., 6., 7., 100.75L, 8);
    printf("digest %lld\n", d);
    printf("largest %Lg %Lg\n", largest(1.0L, 3, 5.5L, -1.0L, 5.25L), largest(9.0L, 0));
    printf("printf %Lf %d %.3Lf %s %Lg\n", 1.25L, 7, -2.5L, "end", 1e-3L);
    return (int)(sum(2, 20.0L, 22.5L));
}
