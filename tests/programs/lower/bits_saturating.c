// Saturating helpers built from overflow builtins, comparisons and selects, for signed and unsigned widths.
#include <stdio.h>
#include <stdint.h>
#include <limits.h>

static int32_t sat_add32(int32_t a, int32_t b)
{
    int32_t r;
    if (!__builtin_add_overflow(a, b, &r))
        return r;
    return b > 0 ? INT32_MAX : INT32_MIN;
}

static int32_t sat_sub32(int32_t a, int32_t b)
{
    int64_t r = (int64_t)a - b;
    return r > INT32_MAX ? INT32_MAX : r < INT32_MIN ? INT32_MIN : (int32_t)r;
}

static uint8_t sat_addu8(uint8_t a, uint8_t b)
{
    unsigned sum = a + b;
    return (uint8_t)(sum | -(sum >> 8));
}

static uint16_t sat_subu16(uint16_t a, uint16_t b) { return a > b ? (uint16_t)(a - b) : 0; }

static int64_t sat_mul64(int64_t a, int64_t b)
{
    int64_t r;
    return __builtin_mul_overflow(a, b, &r) ? ((a ^ b) < 0 ? INT64_MIN : INT64_MAX) : r;
}

static uint64_t sat_shl64(uint64_t v, unsigned n) { return n < 64 && v <= (UINT64_MAX >> n) ? v << n : UINT64_MAX; }

static int clamp(int v, int low, int high)
{
    v = v < low ? low : v;
    return v > high ? high : v;
}

int main(void)
{
    int32_t samples[] = { 0, 5, -5, 2000000000, -2000000000, INT32_MAX, INT32_MIN };
    int n = sizeof samples / sizeof *samples;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            printf("%d,%d ", sat_add32(samples[i], samples[j]), sat_sub32(samples[i], samples[j]));
        putchar('\n');
    }
    for (int a = 0; a < 256; a += 51)
        for (int b = 0; b < 256; b += 85)
            printf("u8 %d %d: %d, u16 %d\n", a, b, sat_addu8((uint8_t)a, (uint8_t)b),
                   sat_subu16((uint16_t)(a * 256), (uint16_t)(b * 257)));
    printf("mul %lld %lld %lld\n", (long long)sat_mul64(INT64_MAX, 2), (long long)sat_mul64(INT64_MAX, -2),
           (long long)sat_mul64(-3037000499, 3037000499));
    for (unsigned s = 0; s < 80; s += 13)
        printf("shl %llx\n", (unsigned long long)sat_shl64(0x1234567, s));
    int total = 0;
    for (int v = -20; v <= 20; v += 4)
        total += clamp(v, -7, 11);
    printf("clamp total %d\n", total);
    return total & 0xff;
}
