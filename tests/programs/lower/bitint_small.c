// _BitInt below 64 bits: odd widths wrap and extend at their own width, in variables, arrays, parameters and structs.
// flags: -std=c2x
#include <stdio.h>

typedef _BitInt(7) i7;
typedef unsigned _BitInt(7) u7;
typedef _BitInt(37) i37;
typedef unsigned _BitInt(37) u37;
typedef unsigned _BitInt(1) u1;
typedef _BitInt(24) i24;

static u7 add7(u7 a, u7 b) { return a + b; }
static u7 mul7(u7 a, u7 b) { return a * b; }
static i7 sar7(i7 a, int n) { return (i7)(a >> n); }
static i37 mix37(i37 a, i7 b) { return a * b - (a >> 3); }
static u37 rotate37(u37 v, int n) { return v << n | v >> (37 - n); }

struct mixed {
    i7 a;
    u37 b;
    i24 c[3];
};

static struct mixed build(int seed)
{
    struct mixed m = { (i7)(seed % 63), (u37)seed * 1000003u, { (i24)seed, (i24)-seed, (i24)(seed * 3) } };
    return m;
}

int main(void)
{
    for (int i = 0; i < 128; i += 13)
        printf("u7 %d: %u %u\n", i, (unsigned)add7((u7)i, (u7)100), (unsigned)mul7((u7)i, (u7)i));
    for (int i = -64; i < 64; i += 21)
        printf("i7 %d: %d %d %d\n", i, (int)sar7((i7)i, 1), (int)sar7((i7)i, 5), (int)(i7)(i * 2));

    i37 v = (i37)0x0fedcba987;
    printf("i37 %lld %lld %lld\n", (long long)v, (long long)mix37(v / 1000, (i7)-5), (long long)(v / 12345 % 777));
    u37 r = (u37)0x123456789a;
    for (int n = 1; n < 37; n += 7)
        printf("rotate %d %010llx\n", n, (unsigned long long)rotate37(r, n));
    r = (u37)-1;
    r++;
    printf("u37 wrap %llu, minus one %llu\n", (unsigned long long)r, (unsigned long long)(u37)(r - (u37)1));

    u1 bit = 1;
    bit = (u1)(bit + (u1)1);
    printf("u1 %d size %zu, sizes %zu %zu %zu\n", (int)bit, sizeof bit, sizeof(i7), sizeof(i24), sizeof(i37));

    struct mixed m = build(12345678);
    printf("mixed %d %llu %d %d %d\n", (int)m.a, (unsigned long long)m.b, (int)m.c[0], (int)m.c[1], (int)m.c[2]);
    i24 array[5] = { 0 };
    for (int i = 0; i < 5; i++)
        array[i] = (i24)((i24)i * (i24)-1000000 / (i24)3);
    i24 sum = 0;
    for (int i = 0; i < 5; i++)
        sum += array[i] / (i24)2;
    printf("sum %d less %d\n", (int)sum, array[1] < array[0]);
    printf("to double %.1f, from double %d\n", (double)v, (int)(i7)-42.9);
    return (int)(v & (i37)0x3f);
}
