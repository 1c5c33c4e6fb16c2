// Packed bit-fields that cross byte and word boundaries, with unusual offsets, beside ordinary members and in arrays.
#include <stdio.h>
#include <string.h>
#include <stdint.h>

struct __attribute__((packed)) crossing {
    uint8_t lead : 3;
    uint32_t middle : 30;
    uint64_t wide : 45;
    int32_t sign : 9;
    uint8_t end : 1;
};

struct __attribute__((packed)) beside {
    char c;
    unsigned x : 12;
    unsigned y : 20;
    short s;
    unsigned z : 17;
};

struct loose {
    char c;
    unsigned x : 12;
    unsigned y : 25;
    short s;
    unsigned z : 17;
};

static void dump(const char *what, const void *p, size_t n)
{
    printf("%s", what);
    for (const unsigned char *b = p; n--; b++)
        printf(" %02x", *b);
    putchar('\n');
}

int main(void)
{
    struct crossing c;
    memset(&c, 0, sizeof c);
    c.lead = 5;
    c.middle = 0x2abcdef1;
    uint64_t value = 0x1122334455667788ull;
    c.wide = value;
    c.sign = -200;
    c.end = 1;
    dump("crossing", &c, sizeof c);
    printf("%u %x %llx %d %u\n", c.lead, c.middle, (unsigned long long)c.wide, c.sign, c.end);
    c.middle ^= 0x15555555;
    c.wide += 0x1fffffffffull;
    c.sign += 255;
    c.lead--;
    dump("changed", &c, sizeof c);
    printf("%u %x %llx %d %u\n", c.lead, c.middle, (unsigned long long)c.wide, c.sign, c.end);

    struct beside b[2];
    memset(b, 0, sizeof b);
    b[0].c = 'b';
    b[0].x = 0xabc;
    b[0].y = 0x98765;
    b[0].s = -2;
    b[0].z = 0x1ffff;
    b[1] = b[0];
    b[1].y = b[0].x;
    b[1].x = b[0].y;
    b[1].z >>= 5;
    dump("beside", b, sizeof b);
    printf("%x %x %x %d\n", b[1].x, b[1].y, b[1].z, b[1].s);

    struct loose l;
    memset(&l, 0xff, sizeof l);
    l.x = 1;
    l.y = 0;
    l.s = 0x1234;
    l.z = 0x0f0f;
    l.c = 0x7f;
    printf("loose %x %x %x %x sizes %zu %zu %zu\n", l.x, l.y, (unsigned)l.s, l.z, sizeof c, sizeof *b, sizeof l);
    return (int)(c.wide % 101);
}
