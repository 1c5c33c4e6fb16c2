// Mixed conversions: the usual arithmetic ones, sign and zero extension, truncation, comparison across signedness.
#include <stdio.h>
#include <stdint.h>

static int64_t widen_signed(int32_t v) { return v; }
static int64_t widen_unsigned(uint32_t v) { return v; }
static uint64_t widen_to_unsigned(int32_t v) { return (uint64_t)v; }
static int32_t narrow(int64_t v) { return (int32_t)v; }
static uint16_t narrow16(uint64_t v) { return (uint16_t)v; }
static int8_t narrow8(int32_t v) { return (int8_t)v; }

static const char *order(int less) { return less ? "less" : "not-less"; }

int main(void)
{
    int32_t samples[] = { 0, -1, 127, 128, -129, 65535, 65536, INT32_MAX, INT32_MIN };
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++) {
        int32_t v = samples[i];
        printf("%d: %lld %lld %llu %u %d\n", v, (long long)widen_signed(v), (long long)widen_unsigned((uint32_t)v),
               (unsigned long long)widen_to_unsigned(v), narrow16((uint64_t)v), narrow8(v));
    }
    int64_t wide[] = { 0x123456789abcdefLL, -0x123456789abcdefLL, 0x80000000LL, -0x80000001LL };
    for (int i = 0; i < 4; i++)
        printf("narrow %lld -> %d\n", (long long)wide[i], narrow(wide[i]));

    int minus = -1;
    unsigned one = 1;
    long minus_long = -1;
    unsigned short us = 65535;
    unsigned char uc = 255;
    printf("-1 < 1u %s\n", order((unsigned)minus < one));
    printf("-1L < 1u %s\n", order(minus_long < one));
    printf("us > -1 %s\n", order(minus < us));
    printf("uc == -1 %d, (signed char)uc == -1 %d\n", uc == minus, (signed char)uc == minus);

    printf("sum %u %ld %d\n", minus + one + 5u, minus_long + one, us + uc);
    printf("mul %llu\n", (unsigned long long)one * (unsigned long long)minus);
    long long chain = (int8_t)(uint8_t)(int16_t)0xABCD;
    printf("chain %lld\n", chain);
    printf("ternary %lld\n", (long long)(minus ? minus : one));
    printf("char sum size %zu, short sum size %zu, mixed size %zu\n", sizeof(uc + uc), sizeof(us + us),
           sizeof(us + minus_long));

    uint32_t parts[2] = { 0xfffffff0u, 0x7fffffffu };
    int64_t joined = (int64_t)((uint64_t)parts[1] << 32 | parts[0]);
    printf("joined %llx %d %d\n", (unsigned long long)joined, (int32_t)joined, (int32_t)(joined >> 32));
    unsigned ext = (unsigned)(signed char)0x9c;
    printf("ext %#x %#x\n", ext, (unsigned)(unsigned char)0x9c);
    return narrow8(narrow(wide[0])) & 0xff;
}
