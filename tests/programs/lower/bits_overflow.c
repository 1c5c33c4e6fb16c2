// Overflow builtins on char, short, int and long: the wrapped result and the flag, for add, subtract and multiply.
#include <stdio.h>
#include <limits.h>
#include <stdint.h>

#define OVERFLOW_TEST(NAME, T, FORMAT)                                                              \
    static unsigned NAME(const T *values, int n)                                                    \
    {                                                                                               \
        unsigned flags = 0;                                                                         \
        for (int i = 0; i < n; i++)                                                                 \
            for (int j = 0; j < n; j++) {                                                           \
                T sum, difference, product;                                                         \
                int a = __builtin_add_overflow(values[i], values[j], &sum);                         \
                int s = __builtin_sub_overflow(values[i], values[j], &difference);                  \
                int m = __builtin_mul_overflow(values[i], values[j], &product);                     \
                printf(#NAME " " FORMAT " " FORMAT ": " FORMAT "%c " FORMAT "%c " FORMAT "%c\n",    \
                       values[i], values[j], sum, a ? '!' : '.', difference, s ? '!' : '.',         \
                       product, m ? '!' : '.');                                                     \
                flags = (flags << 3 | flags >> 29) ^ (unsigned)(a << 2 | s << 1 | m);               \
            }                                                                                       \
        return flags;                                                                               \
    }

OVERFLOW_TEST(i8, signed char, "%d")
OVERFLOW_TEST(u8, unsigned char, "%d")
OVERFLOW_TEST(i16, short, "%d")
OVERFLOW_TEST(i32, int, "%d")
OVERFLOW_TEST(u32, unsigned, "%u")
OVERFLOW_TEST(i64, long, "%ld")
OVERFLOW_TEST(u64, unsigned long, "%lu")

int main(void)
{
    signed char c[] = { 0, -1, 100, 127, -128 };
    unsigned char uc[] = { 0, 1, 16, 255 };
    short s[] = { 2, -3, 200, SHRT_MAX, SHRT_MIN };
    int v[] = { 1, -1, 65536, INT_MAX, INT_MIN };
    unsigned u[] = { 0, 3, 65536, UINT_MAX };
    long l[] = { -1, 4294967296, LONG_MAX, LONG_MIN };
    unsigned long ul[] = { 1, 4294967295, 4294967296, ULONG_MAX };
    unsigned digest = 0;
    digest = digest * 31 + i8(c, 5);
    digest = digest * 31 + u8(uc, 4);
    digest = digest * 31 + i16(s, 5);
    digest = digest * 31 + i32(v, 5);
    digest = digest * 31 + u32(u, 4);
    digest = digest * 31 + i64(l, 4);
    digest = digest * 31 + u64(ul, 4);
    int typed;
    long long typed_ll;
    int add_flag = __builtin_sadd_overflow(INT_MAX, 1, &typed);
    int mul_flag = __builtin_smulll_overflow(1LL << 40, 1LL << 30, &typed_ll);
    printf("typed %d %d %d %lld digest %08x\n", add_flag, typed, mul_flag, typed_ll, digest);
    return (int)(digest & 0x7f);
}
