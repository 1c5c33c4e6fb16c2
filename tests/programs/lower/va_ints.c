// Variadic functions with integer and pointer arguments: promoted narrow types, sentinels, spills to the stack.
#include <stdio.h>
#include <stdarg.h>

static int sum(int count, ...)
{
    va_list ap;
    va_start(ap, count);
    int total = 0;
    for (int i = 0; i < count; i++)
        total = total * 2 + va_arg(ap, int);
    va_end(ap);
    return total;
}

static long sum_until_zero(long first, ...)
{
    long total = 0;
    va_list ap;
    va_start(ap, first);
    for (long v = first; v; v = va_arg(ap, long))
        total += v;
    va_end(ap);
    return total;
}

static void typed(const char *types, ...)
{
    va_list ap;
    va_start(ap, types);
    for (; *types; types++) {
        switch (*types) {
        case 'c': printf("%c ", va_arg(ap, int)); break;
        case 'h': printf("%d ", (short)va_arg(ap, int)); break;
        case 'u': printf("%u ", va_arg(ap, unsigned)); break;
        case 'q': printf("%lld ", va_arg(ap, long long)); break;
        case 's': printf("%s ", va_arg(ap, const char *)); break;
        case 'p': printf("%d ", *va_arg(ap, int *)); break;
        case 'f': printf("%d ", va_arg(ap, int (*)(int))(20)); break;
        }
    }
    putchar('\n');
    va_end(ap);
}

static int twice(int v) { return v * 2; }

static int longest(int a, int b, int c, int d, int e, int f, int g, int count, ...)
{
    int best = a + b + c + d + e + f + g;
    va_list ap;
    va_start(ap, count);
    while (count--) {
        int v = va_arg(ap, int);
        if (v > best)
            best = v;
    }
    va_end(ap);
    return best;
}

int main(void)
{
    printf("sum %d %d %d\n", sum(0), sum(3, 1, 2, 3), sum(10, 1, 0, 1, 0, 1, 1, 1, 0, 0, -1));
    printf("until %ld\n", sum_until_zero(1L, 1L << 33, -5L, 7L, 8L, 9L, 10L, 11L, 0L));
    int n = 99;
    char c = 'x';
    short h = -7;
    unsigned char uc = 200;
    typed("chuqspf", c, h, 4000000000u, -1234567890123LL, "text", &n, twice);
    typed("uuuuuuuuuu", 1u, 2u, 3u, 4u, 5u, 6u, 7u, uc, 9u, 10u);
    typed("");
    printf("longest %d %d\n", longest(1, 1, 1, 1, 1, 1, 1, 3, 5, 99, 4), longest(9, 9, 9, 9, 9, 9, 9, 1, 62));
    return sum(4, 1, 2, 3, 4);
}
