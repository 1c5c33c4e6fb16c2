// Packed and over-aligned structs: unaligned members read and written in place, alignment attributes and pragma pack.
#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <string.h>

struct __attribute__((packed)) header {
    uint8_t version;
    uint32_t length;
    uint16_t flags;
    uint64_t stamp;
    double scale;
};

#pragma pack(push, 2)
struct half_packed {
    char c;
    int n;
    long l;
};
#pragma pack(pop)

struct aligned {
    char c;
    _Alignas(16) int n;
    char d;
} __attribute__((aligned(32)));

struct mixed {
    char lead;
    struct header h[2];
    struct aligned a;
};

static uint64_t checksum(const struct header *h)
{
    return h->version + h->length * 3ull + h->flags * 5ull + h->stamp * 7ull + (uint64_t)h->scale;
}

static struct header parse(const unsigned char *bytes)
{
    struct header h;
    memcpy(&h, bytes, sizeof h);
    return h;
}

int main(void)
{
    printf("header %zu: %zu %zu %zu %zu\n", sizeof(struct header), offsetof(struct header, length),
           offsetof(struct header, flags), offsetof(struct header, stamp), offsetof(struct header, scale));
    printf("half %zu: %zu %zu align %zu\n", sizeof(struct half_packed), offsetof(struct half_packed, n),
           offsetof(struct half_packed, l), _Alignof(struct half_packed));
    printf("aligned %zu: %zu %zu align %zu\n", sizeof(struct aligned), offsetof(struct aligned, n),
           offsetof(struct aligned, d), _Alignof(struct aligned));
    printf("mixed %zu: %zu %zu\n", sizeof(struct mixed), offsetof(struct mixed, h[1].stamp), offsetof(struct mixed, a));

    unsigned char bytes[sizeof(struct header)];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 11 + 1);
    memset(bytes + offsetof(struct header, scale), 0, 8);
    struct header h = parse(bytes);
    printf("parsed %x %x %x %llx %.1f\n", h.version, h.length, h.flags, (unsigned long long)h.stamp, h.scale);
    h.length += 0x01020304;
    h.stamp = ~h.stamp;
    h.flags ^= 0xffff;
    h.scale = 12.5;
    printf("changed %x %x %llx\n", h.length, h.flags, (unsigned long long)h.stamp);
    printf("checksum %llx\n", (unsigned long long)checksum(&h));

    struct mixed m;
    memset(&m, 0, sizeof m);
    m.h[1] = h;
    m.h[0].stamp = m.h[1].length;
    m.a.n = -5;
    printf("mixed %llx %d aligned %d\n", (unsigned long long)checksum(&m.h[0]), m.a.n, (int)((uintptr_t)&m.a % 32));
    struct half_packed p = { 'p', -123456, 1L << 50 };
    struct half_packed q = p;
    q.n -= 1;
    printf("half %d %ld\n", q.n, q.l - p.l);
    return (int)(checksum(&h) & 0x7f);
}
