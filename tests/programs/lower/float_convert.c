// Conversions between integers of all widths and float, double: truncation, rounding of large values, unsigned 64-bit.
#include <stdio.h>
#include <stdint.h>
#include <limits.h>

static int to_int(double d) { return (int)d; }
static unsigned to_unsigned(float f) { return (unsigned)f; }
static int64_t to_i64(double d) { return (int64_t)d; }
static uint64_t to_u64(double d) { return (uint64_t)d; }
static uint64_t float_to_u64(float f) { return (uint64_t)f; }
static signed char to_char(double d) { return (signed char)d; }
static float from_int(int v) { return (float)v; }
static double from_u64(uint64_t v) { return (double)v; }
static float float_from_u64(uint64_t v) { return (float)v; }
static float narrow(double d) { return (float)d; }
static double widen(float f) { return f; }

int main(void)
{
    double samples[] = { 0.0, -0.9, 0.9, 1.5, -1.5, 2147483646.99, -2147483648.0, 123456.789 };
    for (int i = 0; i < 8; i++)
        printf("%.2f -> %d %lld %d\n", samples[i], to_int(samples[i]), (long long)to_i64(samples[i]),
               (int)to_char(samples[i] / 1e8));
    printf("unsigned %u %u %u\n", to_unsigned(0.5f), to_unsigned(3e9f), to_unsigned(4294967040.0f));
    printf("i64 %lld %lld\n", (long long)to_i64(9.2e18), (long long)to_i64(-9223372036854775808.0));
    printf("u64 %llu %llu %llu\n", (unsigned long long)to_u64(1.8e19),
           (unsigned long long)to_u64(9223372036854775808.0), (unsigned long long)float_to_u64(1.5e19f));

    int ints[] = { 0, 1, -1, 16777216, 16777217, 16777219, INT_MAX, INT_MIN };
    for (int i = 0; i < 8; i++)
        printf("float %d -> %.1f, back %d\n", ints[i], (double)from_int(ints[i]), to_int(ints[i]));
    uint64_t words[] = { 0, UINT64_MAX, 1ull << 63, (1ull << 53) + 1, (1ull << 63) + 1025, 0x8000008000000001 };
    for (int i = 0; i < 6; i++)
        printf("u64 %llu -> %.1f %.1f\n", (unsigned long long)words[i], from_u64(words[i]),
               (double)float_from_u64(words[i]));

    double wide[] = { 0.1, 1.00000017881393432617, 1e-46, 3.4e38, 1.0 / 3, -2.5e-40 };
    for (int i = 0; i < 6; i++)
        printf("narrow %.17g -> %.9g -> %.17g\n", wide[i], (double)narrow(wide[i]), widen(narrow(wide[i])));
    double big = 1e300;
    float overflowed = (float)(big * 0) + 3.5f;
    printf("mixed %g %g %g\n", 7 / 2 + 0.5, 7 / 2.0, (double)(overflowed + 7 / 2));
    int i = 10;
    i *= 2.55;
    unsigned char c = 200;
    c = (unsigned char)(c * 1.2f);
    short s = (short)(i / 4.0);
    long l = 1L << 62;
    l = (long)(l * 0.75);
    printf("compound %d %d %d %ld\n", i, c, s, l);
    _Bool b = overflowed;
    printf("bool %d, char %d\n", b, (char)65.9);
    return to_int(samples[3] * 20);
}
