// SHA-256 of several texts: rotates, wrapping additions, big-endian loads, 128-bit searches for its constants.
#include <stdio.h>
#include <stdint.h>
#include <string.h>

static uint32_t k[64], start[8];

static uint32_t rotr(uint32_t v, int n) { return v >> n | v << (32 - n); }

/* The constants are the fractional bits of roots of the first primes, here by integer search. */
static uint32_t root_bits(uint64_t prime, int cubic)
{
    unsigned __int128 low = 0, high = (unsigned __int128)1 << 40;
    while (high - low > 1) {
        unsigned __int128 mid = (low + high) / 2;
        unsigned __int128 power = cubic ? mid * mid * mid : mid * mid;
        unsigned __int128 limit = (unsigned __int128)prime << (cubic ? 96 : 64);
        if (power <= limit)
            low = mid;
        else
            high = mid;
    }
    return (uint32_t)low;
}

static void prepare(void)
{
    int n = 0;
    for (uint64_t p = 2; n < 64; p++) {
        int prime = 1;
        for (uint64_t d = 2; d * d <= p; d++)
            prime &= p % d != 0;
        if (!prime)
            continue;
        if (n < 8)
            start[n] = root_bits(p, 0);
        k[n++] = root_bits(p, 1);
    }
}

static void block(uint32_t h[8], const unsigned char *p)
{
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (rotr(a, 7) ^ rotr(a, 18) ^ a >> 3) + (rotr(b, 17) ^ rotr(b, 19) ^ b >> 10);
    }
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t s1 = rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25), ch = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t t1 = v[7] + s1 + ch + k[i] + w[i];
        uint32_t s0 = rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22);
        uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += v[i];
}

static uint32_t sha256(const char *text)
{
    uint32_t h[8];
    memcpy(h, start, sizeof h);
    size_t n = strlen(text), at = 0;
    for (; at + 64 <= n; at += 64)
        block(h, (const unsigned char *)text + at);
    unsigned char tail[128] = { 0 };
    size_t rest = n - at, total = rest < 56 ? 64 : 128;
    memcpy(tail, text + at, rest);
    tail[rest] = 0x80;
    for (int i = 0; i < 8; i++)
        tail[total - 1 - (size_t)i] = (unsigned char)((uint64_t)n * 8 >> (8 * i));
    for (size_t i = 0; i < total; i += 64)
        block(h, tail + i);
    for (int i = 0; i < 8; i++)
        printf("%08x", h[i]);
    putchar('\n');
    return h[0];
}

int main(void)
{
    prepare();
    printf("%08x %08x %08x\n", start[0], k[0], k[63]);
    sha256("");
    sha256("The quick brown fox jumps over the lazy dog, and then it rests for exactly as long as it likes.");
    return sha256("abc") == 0xba7816bf ? 25 : 1;
}
