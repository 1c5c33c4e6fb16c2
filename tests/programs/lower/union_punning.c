// Unions that reinterpret bits: float as integer, double as halves, arrays of bytes, and little-endian byte order.
#include <stdio.h>
#include <stdint.h>

union real32 {
    float f;
    uint32_t u;
    struct {
        uint32_t mantissa : 23, exponent : 8, sign : 1;
    } parts;
};

union real64 {
    double d;
    uint64_t u;
    uint32_t half[2];
    uint16_t quarter[4];
    unsigned char byte[8];
};

union address {
    uint32_t value;
    struct {
        unsigned char a, b, c, d;
    };
};

static float fast_halve(float f)
{
    union real32 r = { .f = f };
    r.parts.exponent--;
    return r.f;
}

static double negate(double d)
{
    union real64 r = { d };
    r.byte[7] ^= 0x80;
    return r.d;
}

static uint32_t float_bits(float f) { return ((union real32){ .f = f }).u; }

static union real64 make(uint64_t bits)
{
    union real64 r;
    r.u = bits;
    return r;
}

int main(void)
{
    float samples[] = { 0.0f, -0.0f, 1.0f, -2.5f, 3.14159f, 1e-30f, 6.5e37f };
    for (int i = 0; i < 7; i++) {
        union real32 r = { samples[i] };
        printf("%g %08x sign %u exp %u man %06x\n", (double)r.f, r.u, r.parts.sign, r.parts.exponent, r.parts.mantissa);
    }
    printf("halve %g %g\n", (double)fast_halve(10.5f), (double)fast_halve(-3.0f));
    printf("negate %g %g\n", negate(2.5), negate(-1e100));

    union real64 r = make(0x400921fb54442d18);
    printf("pi %.15f halves %08x %08x quarters %04x %04x %04x %04x\n", r.d, r.half[0], r.half[1], r.quarter[0],
           r.quarter[1], r.quarter[2], r.quarter[3]);
    r.quarter[3] = 0x4010;
    r.half[0] = 0;
    r.half[1] &= 0xffff0000;
    printf("changed %g %016llx\n", r.d, (unsigned long long)r.u);

    union address a = { 0xc0a80164 };
    printf("bytes %u.%u.%u.%u\n", a.d, a.c, a.b, a.a);
    a.a++;
    a.d -= 0x40;
    printf("value %08x\n", a.value);
    printf("bits %08x %08x, sizes %zu %zu\n", float_bits(1.5f), float_bits(-1.5f), sizeof(union real32),
           sizeof(union real64));
    float values[2] = { 1.0f, 1.0f };
    union real32 next = { values[0] };
    next.u++;
    printf("successor differs %d by %.10e\n", next.f != values[1], (double)(next.f - values[1]));
    return (int)(a.value & 0x7f);
}
