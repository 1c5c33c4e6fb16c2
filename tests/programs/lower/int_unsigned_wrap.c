// Unsigned arithmetic of all widths wraps modulo two to the width: add, subtract, multiply, negate, increment.
#include <stdio.h>
#include <stdint.h>
#include <inttypes.h>

#define WRAP_TEST(T, NAME)                                                        \
    static void NAME(void)                                                        \
    {                                                                             \
        T max = (T)-1, x = max;                                                   \
        printf(#T " max %ju", (uintmax_t)max);                                    \
        x++;                                                                      \
        printf(" inc %ju", (uintmax_t)x);                                         \
        x--;                                                                      \
        printf(" dec %ju", (uintmax_t)x);                                         \
        printf(" max+max %ju", (uintmax_t)(T)(max + max));                        \
        printf(" max*3 %ju", (uintmax_t)(T)(max * (T)3));                         \
        printf(" 0-5 %ju", (uintmax_t)(T)((T)0 - (T)5));                          \
        x = (T)-(T)7;                                                             \
        printf(" neg7 %ju half %ju\n", (uintmax_t)x, (uintmax_t)(T)(x / 2));      \
    }

WRAP_TEST(uint8_t, wrap8)
WRAP_TEST(uint32_t, wrap32)
WRAP_TEST(uint64_t, wrap64)

static uint32_t mix(uint32_t h)
{
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    return h ^ (h >> 16);
}

static uint64_t xorshift(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * 0x2545F4914F6CDD1DULL;
}

int main(void)
{
    wrap8();
    wrap32();
    wrap64();
    uint32_t h = 1;
    for (int i = 0; i < 8; i++) {
        h = mix(h + (uint32_t)i * 0x9e3779b9u);
        printf("mix %d %08" PRIx32 "\n", i, h);
    }
    uint64_t s = 42, fib = 1, prev = 0;
    for (int i = 0; i < 6; i++)
        printf("xorshift %016" PRIx64 "\n", xorshift(&s));
    for (int i = 0; i < 150; i++) {
        uint64_t next = fib + prev;
        prev = fib;
        fib = next;
    }
    printf("fib mod 2^64 %" PRIu64 "\n", fib);
    printf("countdown ends %d\n", (int)(0u - 1u > 0u));
    return (int)(fib & 0x3f);
}
