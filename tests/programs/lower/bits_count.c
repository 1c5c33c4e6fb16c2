// Bit-counting builtins: popcount, leading and trailing zeros, find-first-set, parity and redundant sign bits.
#include <stdio.h>
#include <stdint.h>

static int naive_popcount(uint64_t v)
{
    int n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

static int naive_clz(uint64_t v)
{
    int n = 0;
    while (!(v >> 63)) {
        v <<= 1;
        n++;
    }
    return n;
}

static unsigned log2_floor(unsigned v) { return 31u - (unsigned)__builtin_clz(v); }

static uint32_t round_up_power(uint32_t v) { return v <= 1 ? 1 : 1u << (32 - __builtin_clz(v - 1)); }

int main(void)
{
    uint64_t samples[] = { 1, 2, 3, 0x80, 0xff00, 0x12345678, 0x80000000, 0xffffffff, 0x100000000, 0xdeadbeefcafef00d,
                           0x8000000000000000, ~0ull };
    int disagreements = 0;
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++) {
        uint64_t v = samples[i];
        printf("%016llx pop %d clz %d ctz %d ffs %d parity %d", (unsigned long long)v, __builtin_popcountll(v),
               __builtin_clzll(v), __builtin_ctzll(v), __builtin_ffsll((long long)v), __builtin_parityll(v));
        unsigned low = (unsigned)v;
        printf(" low pop %d ffs %d parity %d", __builtin_popcount(low), __builtin_ffs((int)low), __builtin_parity(low));
        if (low)
            printf(" clz %d ctz %d log2 %u", __builtin_clz(low), __builtin_ctz(low), log2_floor(low));
        putchar('\n');
        disagreements += naive_popcount(v) != __builtin_popcountll(v);
        disagreements += naive_clz(v) != __builtin_clzll(v);
    }
    printf("zero: pop %d ffs %d parity %d\n", __builtin_popcount(0), __builtin_ffs(0), __builtin_parity(0));
    int sign_samples[] = { 0, 1, -1, 5, -5, 0x40000000, (int)0x80000000 };
    for (unsigned i = 0; i < sizeof sign_samples / sizeof *sign_samples; i++)
        printf("clrsb %d = %d, wide %d\n", sign_samples[i], __builtin_clrsb(sign_samples[i]),
               __builtin_clrsbll(sign_samples[i]));
    for (uint32_t v = 1; v < 3000; v = v * 3 + 1)
        printf("up %u -> %u\n", v, round_up_power(v));
    uint64_t set = 0x8421080000000421;
    printf("members");
    for (uint64_t rest = set; rest; rest &= rest - 1)
        printf(" %d", __builtin_ctzll(rest));
    printf("\ndisagreements %d\n", disagreements);
    return disagreements;
}
