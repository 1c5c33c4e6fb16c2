// Shifts left and right, logical and arithmetic, by constants and variables, on every width from 8 to 64 bits.
#include <stdio.h>
#include <stdint.h>

static int32_t sar32(int32_t v, int n) { return v >> n; }
static uint32_t shr32(uint32_t v, unsigned n) { return v >> n; }
static uint32_t shl32(uint32_t v, unsigned char n) { return v << n; }
static int64_t sar64(int64_t v, int n) { return v >> n; }
static uint64_t shr64(uint64_t v, uint64_t n) { return v >> n; }
static uint64_t shl64(uint64_t v, int n) { return v << n; }

static uint32_t field(uint32_t word, int low, int width)
{
    return (word >> low) & ((width == 32) ? ~0u : (1u << width) - 1);
}

int main(void)
{
    for (int n = 0; n < 32; n += 5) {
        printf("32 by %2d: sar %d %d shr %u shl %#x\n", n, sar32(-123456789, n), sar32(123456789, n),
               shr32(0xdeadbeefu, (unsigned)n), shl32(0xdeadbeefu, (unsigned char)n));
    }
    printf("31: %d %u %#x\n", sar32(INT32_MIN, 31), shr32(0x80000000u, 31), shl32(3, 31));
    for (int n = 0; n < 64; n += 9) {
        printf("64 by %2d: sar %lld shr %llx shl %llx\n", n, (long long)sar64(-0x123456789abcdefLL, n),
               (unsigned long long)shr64(0xfedcba9876543210ull, (uint64_t)n),
               (unsigned long long)shl64(0xfedcba9876543210ull, n));
    }
    printf("63: %lld %llu\n", (long long)sar64(INT64_MIN, 63), (unsigned long long)shr64(1ull << 63, 63));

    unsigned char u8 = 0x96;
    signed char s8 = (signed char)0x96;
    uint16_t u16 = 0x8001;
    int16_t s16 = (int16_t)0x8001;
    for (int n = 0; n < 8; n++)
        printf("8 by %d: %x %d %x\n", n, u8 >> n, s8 >> n, (unsigned)(unsigned char)(u8 << n));
    for (int n = 0; n < 16; n += 3)
        printf("16 by %d: %x %d %x\n", n, u16 >> n, s16 >> n, (unsigned)(uint16_t)(u16 << n));

    uint32_t word = 0xA5C3F01Eu;
    for (int low = 0; low < 32; low += 7)
        printf("field %d: %x\n", low, field(word, low, 32 - low < 7 ? 32 - low : 7));
    printf("field all %x\n", field(word, 0, 32));

    u16 <<= 1;
    s16 >>= 4;
    word = word << 8 | word >> 24;
    printf("compound %x %d %x\n", u16, s16, word);
    return (int)field(word, 4, 6);
}
