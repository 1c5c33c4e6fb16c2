// _BitInt above 64 bits (129 and 256): carries across limbs, shifts, multiplication, division, comparison and calls.
// flags: -std=c2x
#include <stdio.h>

typedef unsigned _BitInt(129) u129;
typedef _BitInt(129) i129;
typedef unsigned _BitInt(256) u256;

static void show256(const char *what, u256 v)
{
    printf("%-6s", what);
    for (int limb = 3; limb >= 0; limb--)
        printf(" %016llx", (unsigned long long)(v >> (limb * 64)));
    putchar('\n');
}

static void show129(const char *what, u129 v)
{
    printf("%-6s %x %016llx %016llx\n", what, (unsigned)(v >> 128), (unsigned long long)(v >> 64),
           (unsigned long long)v);
}

static u256 factorial(int n)
{
    u256 result = 1;
    for (int i = 2; i <= n; i++)
        result *= (u256)i;
    return result;
}

static void decimal(u256 v)
{
    char text[90];
    int at = sizeof text - 1;
    text[at] = 0;
    do {
        text[--at] = (char)('0' + (int)(v % 10u));
        v /= 10u;
    } while (v);
    puts(text + at);
}

static i129 step(i129 v, _Bool flip) { return flip ? -v : v + 1; }

int main(void)
{
    u256 one = 1, all = ~(u256)0, f = factorial(50);
    show256("f50", f);
    decimal(f);
    decimal(all);
    show256("shl", f << 77);
    show256("shr", f >> 130);
    show256("mul", f * f);
    show256("add", all + one + f);
    show256("sub", one - f);
    show256("div", all / f);
    show256("rem", all % f);
    show256("xor", (f ^ all) & ~(f >> 3));
    printf("compare %d %d %d\n", f < all, f == factorial(50), (one << 255) > (one << 254));

    u129 top = (u129)1 << 128;
    show129("top", top);
    show129("wrap", top + top + (u129)5);
    show129("dec", top - (u129)1);
    i129 lowest = (i129)top, v = -7;
    printf("sign %d %d\n", lowest < 0, v < 0);
    show129("sar", (u129)(lowest >> 127));
    show129("quot", (u129)(lowest / (i129)1000));
    for (int i = 0; i < 4; i++) {
        v = step(v, i % 2);
        printf("step %d\n", (int)v);
    }
    u256 array[2] = { f, all };
    array[0] ^= array[1] << 200;
    show256("array", array[0]);
    printf("sizes %zu %zu\n", sizeof(u129), sizeof(u256));
    return (int)(f >> 60 & 0x7f);
}
