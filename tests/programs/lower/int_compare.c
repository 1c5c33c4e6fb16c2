// All ten integer comparisons, on signed and unsigned operands of each width, as values and in branches.
#include <stdio.h>
#include <stdint.h>

#define COMPARE(NAME, T)                                              \
    static unsigned NAME(T a, T b)                                    \
    {                                                                 \
        unsigned bits = 0;                                            \
        bits |= (unsigned)(a == b) << 0;                              \
        bits |= (unsigned)(a != b) << 1;                              \
        bits |= (unsigned)(a < b) << 2;                               \
        bits |= (unsigned)(a <= b) << 3;                              \
        bits |= (unsigned)(a > b) << 4;                               \
        bits |= (unsigned)(a >= b) << 5;                              \
        if (a < b)                                                    \
            bits |= 64;                                               \
        else if (a > b)                                               \
            bits |= 128;                                              \
        return bits;                                                  \
    }

COMPARE(cmp_i8, int8_t)
COMPARE(cmp_u8, uint8_t)
COMPARE(cmp_i16, int16_t)
COMPARE(cmp_u16, uint16_t)
COMPARE(cmp_i32, int32_t)
COMPARE(cmp_u32, uint32_t)
COMPARE(cmp_i64, int64_t)
COMPARE(cmp_u64, uint64_t)

static int three_way(long a, long b) { return (a > b) - (a < b); }

static int in_range(int v, int low, int high) { return (unsigned)v - (unsigned)low <= (unsigned)high - (unsigned)low; }

int main(void)
{
    int64_t samples[] = { 0, 1, -1, 127, -128, 32767, -32768, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN };
    int n = sizeof samples / sizeof *samples;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j += 2) {
            int64_t a = samples[i], b = samples[j];
            printf("%lld ? %lld: %02x %02x %02x %02x %02x %02x %02x %02x %d\n", (long long)a, (long long)b,
                   cmp_i8((int8_t)a, (int8_t)b), cmp_u8((uint8_t)a, (uint8_t)b), cmp_i16((int16_t)a, (int16_t)b),
                   cmp_u16((uint16_t)a, (uint16_t)b), cmp_i32((int32_t)a, (int32_t)b),
                   cmp_u32((uint32_t)a, (uint32_t)b), cmp_i64(a, b), cmp_u64((uint64_t)a, (uint64_t)b),
                   three_way(a, b));
        }
    }
    printf("range %d %d %d %d\n", in_range(5, 0, 9), in_range(-5, -9, 9), in_range(10, 0, 9), in_range(-10, -9, 9));
    return 0;
}
