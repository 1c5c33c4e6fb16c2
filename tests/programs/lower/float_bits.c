// Floating values as bits: classification by hand, neighbors, exponent arithmetic, fabs and copysign on raw words.
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include <math.h>

static uint64_t bits_of(double d)
{
    uint64_t u;
    memcpy(&u, &d, sizeof u);
    return u;
}

static double double_of(uint64_t u)
{
    double d;
    memcpy(&d, &u, sizeof d);
    return d;
}

static const char *classify(double d)
{
    uint64_t u = bits_of(d), mantissa = u & 0xfffffffffffffull;
    unsigned exponent = u >> 52 & 0x7ff;
    if (exponent == 0x7ff)
        return mantissa ? "nan" : "infinite";
    if (exponent == 0)
        return mantissa ? "subnormal" : "zero";
    return "normal";
}

static double next_up(double d) { return double_of(bits_of(d) + 1); }

static double scale(double d, int by) { return double_of(bits_of(d) + ((uint64_t)(int64_t)by << 52)); }

static float inverse_sqrt(float v)
{
    uint32_t i;
    float y;
    memcpy(&i, &v, 4);
    i = 0x5f3759df - (i >> 1);
    memcpy(&y, &i, 4);
    y = y * (1.5f - 0.5f * v * y * y);
    return y * (1.5f - 0.5f * v * y * y);
}

static int ilog2(double d) { return (int)(bits_of(d) >> 52 & 0x7ff) - 1023; }

int main(void)
{
    double values[] = { 0, -0.0, 1, -1, 0.1, 1e308, 5e-324, INFINITY, -INFINITY };
    for (int i = 0; i < 9; i++)
        printf("%016llx %s\n", (unsigned long long)bits_of(values[i]), classify(values[i]));
    printf("nan %s\n", classify(NAN));
    printf("next %.17g %.17g %g\n", next_up(1), next_up(0.1), next_up(0));
    printf("scale %g %g %g\n", scale(3, 4), scale(10, -3), scale(-1.5, 100));
    printf("ilog2 %d %d %d\n", ilog2(1), ilog2(1023.5), ilog2(0.001));
    for (float v = 0.25f; v < 100; v *= 5)
        printf("inverse %.6g\n", (double)inverse_sqrt(v));
    printf("fabs %g copysign %g %g\n", fabs(-2.5), __builtin_copysign(3, -0.0), __builtin_copysign(-3, 1));
    printf("sign of products %016llx %016llx\n", (unsigned long long)bits_of(values[1] * 5),
           (unsigned long long)bits_of(-values[1] * 5));
    uint32_t word = 0x3f800000;
    float f;
    memcpy(&f, &word, sizeof f);
    float one = f;
    word--;
    memcpy(&f, &word, sizeof f);
    printf("one %g, below it %.9g\n", (double)one, (double)(one - f));
    double sum = 0;
    for (uint64_t u = 0x3ff0000000000000; u < 0x4010000000000000; u += 0x0004000000000001)
        sum += double_of(u);
    printf("sum %.17g\n", sum);
    return ilog2(1e20);
}
