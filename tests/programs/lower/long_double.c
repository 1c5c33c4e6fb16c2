// long double: arithmetic in 80 bits, comparison, conversion to and from other types, passing, returning, and arrays.
#include <stdio.h>
#include <string.h>

struct measured {
    char unit;
    long double value;
};

static long double average(const long double *v, int n)
{
    long double sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum / n;
}

static long double power(long double base, int exponent)
{
    long double r = 1;
    while (exponent-- > 0)
        r *= base;
    return r;
}

static struct measured convert(struct measured m, long double factor)
{
    m.value *= factor;
    m.unit++;
    return m;
}

static int compare(long double a, long double b) { return (a > b) - (a < b); }

int main(void)
{
    long double third = 1.0L / 3;
    printf("third %.20Lf %.25Lg\n", third, third);
    printf("more than double %d\n", third != (long double)(double)third);
    printf("integers %.0Lf\n", (long double)0xffffffffffffffffull);
    printf("exact %d\n", (unsigned long long)((long double)0xfffffffffffffffdull) == 0xfffffffffffffffdull);
    long double values[4] = { 1.5L, -2.25L, 1e10L, 0.0009765625L };
    printf("average %.10Lf\n", average(values, 4));
    printf("power %Lg %.0Lf\n", power(1.5L, 20), power(3, 40));
    for (int i = 0; i < 4; i++)
        printf("compare %d %d\n", compare(values[i], 1.0L), compare(values[i], values[3 - i]));
    struct measured m = convert((struct measured){ 'a', 2.5L }, 1000);
    printf("struct %c %.2Lf size %zu\n", m.unit, m.value, sizeof m);
    int i = (int)-7.9L;
    long l = (long)9.2e18L;
    float f = (float)third;
    double d = (double)power(0.1L, 3);
    printf("conversions %d %ld %.9g %.17g\n", i, l, (double)f, d);
    long double from = 5;
    from += f;
    from -= 0.5;
    from = -from;
    printf("mixed %.12Lf, truth %d, not %d\n", from, from ? 1 : 0, !from);
    unsigned char bytes[16];
    long double one = -1.5L;
    memcpy(bytes, &one, 10);
    for (int k = 9; k >= 0; k--)
        printf("%02x", bytes[k]);
    long double tiny = 1;
    int halvings = 0;
    while (1 + tiny / 2 > 1) {
        tiny /= 2;
        halvings++;
    }
    printf("\nhalvings %d\n", halvings);
    return halvings;
}
