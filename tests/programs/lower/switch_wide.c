// Switches on 64-bit, unsigned and 128-bit values, and on constants that differ only in their high halves.
#include <stdio.h>
#include <stdint.h>
#include <limits.h>

static int on_long(long long v)
{
    switch (v) {
    case 0: return 1;
    case 1LL << 32: return 2;
    case 1LL << 33: return 3;
    case -1: return 4;
    case -(1LL << 32): return 5;
    case LLONG_MIN: return 6;
    case LLONG_MAX: return 7;
    case 0xffffffffLL: return 8;
    default: return 0;
    }
}

static const char *on_unsigned(uint64_t v)
{
    switch (v) {
    case 0: return "zero";
    case UINT64_MAX: return "max";
    case 0x8000000000000000u: return "top";
    case 0xdeadbeefcafef00du: return "magic";
    case 10 ... 19: return "teens";
    }
    return "none";
}

static int on_int128(__int128 v)
{
    switch (v) {
    case 5: return 1;
    case -5: return 2;
    case (__int128)1 << 100: return 3;
    case -((__int128)1 << 100): return 4;
    default: return 0;
    }
}

static int accumulate(int64_t step)
{
    int seen = 0;
    int64_t v = -3 * step;
    for (int i = 0; i < 7; i++, v += step) {
        switch (v) {
        case -0x300000000: seen |= 1; break;
        case -0x200000000: seen |= 2; break;
        case 0: seen |= 4; break;
        case 0x100000000: seen |= 8; /* fall through */
        case 0x200000000: seen |= 16; break;
        default: seen += 100;
        }
    }
    return seen;
}

int main(void)
{
    long long samples[] = { 0, 1, 1LL << 32, 1LL << 33, -1, -(1LL << 32), LLONG_MIN, LLONG_MAX, 0xffffffff, -2 };
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++)
        printf("%lld -> %d\n", samples[i], on_long(samples[i]));
    uint64_t words[] = { 0, 1, UINT64_MAX, 1ull << 63, 0xdeadbeefcafef00d, 0xcafef00d, 9, 10, 19, 20 };
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        printf("%016llx %s\n", (unsigned long long)words[i], on_unsigned(words[i]));
    __int128 big = (__int128)1 << 100;
    printf("int128 %d %d %d %d %d\n", on_int128(5), on_int128(-5), on_int128(big), on_int128(-big), on_int128(big + 5));
    printf("accumulate %d %d\n", accumulate(0x100000000), accumulate(7));
    return accumulate(0x100000000) & 0x7f;
}
