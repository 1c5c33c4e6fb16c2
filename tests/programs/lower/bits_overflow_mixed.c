// Overflow builtins whose operand and result types differ, on __int128, and chained carries as in long arithmetic.
#include <stdio.h>
#include <stdint.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static int add_into_char(int a, long b, signed char *out) { return __builtin_add_overflow(a, b, out); }
static int add_into_unsigned(int a, int b, unsigned *out) { return __builtin_add_overflow(a, b, out); }
static int mul_into_int(unsigned a, unsigned b, int *out) { return __builtin_mul_overflow(a, b, out); }
static int sub_into_u64(int64_t a, uint64_t b, uint64_t *out) { return __builtin_sub_overflow(a, b, out); }

static void show(const char *what, int flag, u128 v)
{
    printf("%s %d %016llx%016llx\n", what, flag, (unsigned long long)(v >> 64), (unsigned long long)v);
}

static int add_limbs(const uint32_t *a, const uint32_t *b, uint32_t *out, int n)
{
    unsigned carry = 0;
    for (int i = 0; i < n; i++) {
        uint32_t partial;
        unsigned first = __builtin_add_overflow(a[i], b[i], &partial);
        unsigned second = __builtin_add_overflow(partial, carry, &out[i]);
        carry = first | second;
    }
    return (int)carry;
}

static uint64_t product_high(uint64_t a, uint64_t b) { return (uint64_t)((u128)a * b >> 64); }

int main(void)
{
    signed char small;
    long sums[] = { 0, 100, -100, 200, -300, 65536 };
    for (int i = 0; i < 6; i++) {
        int flag = add_into_char(20, sums[i], &small);
        printf("char %ld: %d %d\n", sums[i], flag, small);
    }
    unsigned u;
    int flag = add_into_unsigned(-5, 3, &u);
    printf("unsigned %d %u", flag, u);
    flag = add_into_unsigned(-5, 8, &u);
    printf(" %d %u\n", flag, u);
    int v;
    flag = mul_into_int(65536, 32768, &v);
    printf("int %d %d", flag, v);
    flag = mul_into_int(65535, 32768, &v);
    printf(" %d %d\n", flag, v);
    uint64_t w;
    flag = sub_into_u64(-1, 1, &w);
    printf("u64 %d %llu\n", flag, (unsigned long long)w);

    u128 big = ~(u128)0, result;
    flag = __builtin_add_overflow(big, (u128)2, &result);
    show("u128 add", flag, result);
    flag = __builtin_sub_overflow((u128)1, (u128)3, &result);
    show("u128 sub", flag, result);
    i128 signed_result;
    flag = __builtin_add_overflow((i128)(big >> 1), (i128)1, &signed_result);
    show("i128 add", flag, (u128)signed_result);

    uint32_t a[4] = { 0xffffffff, 0xffffffff, 0x1, 0x80000000 }, b[4] = { 1, 0, 0xffffffff, 0x7fffffff }, out[4];
    int carry = add_limbs(a, b, out, 4);
    printf("limbs %08x %08x %08x %08x carry %d\n", out[3], out[2], out[1], out[0], carry);
    printf("high %016llx\n", (unsigned long long)product_high(0xfedcba9876543210u, 0x123456789abcdef0u));
    return carry + 2 * flag;
}
