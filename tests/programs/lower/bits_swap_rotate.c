// Byte swaps, bit reversals and rotates, as builtins and as the idioms compilers recognize.
#include <stdio.h>
#include <stdint.h>

#ifndef __has_builtin
#define __has_builtin(x) 0
#endif

static uint32_t reverse32(uint32_t v)
{
#if __has_builtin(__builtin_bitreverse32)
    return __builtin_bitreverse32(v);
#else
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (v >> i & 1) << (31 - i);
    return r;
#endif
}

static uint8_t reverse8(uint8_t v) { return (uint8_t)(reverse32(v) >> 24); }

static uint64_t reverse64(uint64_t v)
{
    v = (v >> 1 & 0x5555555555555555u) | (v & 0x5555555555555555u) << 1;
    v = (v >> 2 & 0x3333333333333333u) | (v & 0x3333333333333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0f0f0f0f0fu) | (v & 0x0f0f0f0f0f0f0f0fu) << 4;
    return __builtin_bswap64(v);
}

static uint32_t rotl32(uint32_t v, unsigned n) { return v << (n & 31) | v >> (-n & 31); }
static uint64_t rotr64(uint64_t v, unsigned n) { return v >> (n & 63) | v << (-n & 63); }
static uint8_t rotl8(uint8_t v, unsigned n) { return (uint8_t)(v << (n & 7) | v >> (-n & 7)); }
static uint16_t rotl16(uint16_t v, unsigned n) { return (uint16_t)(v << (n & 15) | v >> (-n & 15)); }

#if __has_builtin(__builtin_rotateleft32)
static uint32_t builtin_rotl(uint32_t v, uint32_t n) { return __builtin_rotateleft32(v, n); }
static uint64_t builtin_rotr(uint64_t v, uint64_t n) { return __builtin_rotateright64(v, n); }
#else
#define builtin_rotl rotl32
#define builtin_rotr rotr64
#endif

static uint32_t load_be(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

int main(void)
{
    uint64_t v = 0x0123456789abcdefull;
    printf("bswap %04x %08x %016llx\n", __builtin_bswap16((uint16_t)v), __builtin_bswap32((uint32_t)v),
           (unsigned long long)__builtin_bswap64(v));
    printf("reverse %02x %08x %016llx\n", reverse8(0x17), reverse32((uint32_t)v), (unsigned long long)reverse64(v));
    for (unsigned n = 0; n < 70; n += 9) {
        printf("rotate %2u: %02x %04x %08x %016llx", n, rotl8(0xb1, n), rotl16(0xb14d, n), rotl32(0xdeadbeef, n),
               (unsigned long long)rotr64(v, n));
        printf(" builtin %08x %016llx\n", builtin_rotl(0xdeadbeef, n), (unsigned long long)builtin_rotr(v, n));
    }
    unsigned char bytes[] = { 0xca, 0xfe, 0xba, 0xbe };
    uint32_t little;
    __builtin_memcpy(&little, bytes, 4);
    printf("load %08x %08x %d\n", load_be(bytes), little, load_be(bytes) == __builtin_bswap32(little));
    return rotl8(0x81, 1);
}
