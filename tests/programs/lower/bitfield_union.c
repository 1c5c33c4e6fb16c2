// Bit-fields in unions and of zero width: the same bits seen as fields and as a word, and forced unit boundaries.
#include <stdio.h>
#include <stdint.h>
#include <string.h>

union instruction {
    uint32_t word;
    struct {
        uint32_t opcode : 6, rs : 5, rt : 5;
        int32_t immediate : 16;
    } i;
    struct {
        uint32_t opcode : 6;
        uint32_t target : 26;
    } j;
};

struct boundary {
    unsigned a : 3;
    unsigned : 0;
    unsigned b : 5;
    unsigned : 4;
    unsigned c : 7;
    unsigned char : 0;
    unsigned char d : 2;
};

union color {
    uint16_t packed;
    struct {
        uint16_t blue : 5;
        uint16_t green : 6;
        uint16_t red : 5;
    };
};

static union instruction encode(unsigned op, unsigned rs, unsigned rt, int imm)
{
    union instruction in = { .word = 0 };
    in.i.opcode = op & 63;
    in.i.rs = rs & 31;
    in.i.rt = rt & 31;
    in.i.immediate = imm;
    return in;
}

static uint16_t blend(uint16_t x, uint16_t y)
{
    union color a = { x }, b = { y }, r;
    r.packed = 0;
    r.red = (uint16_t)((a.red + b.red) / 2);
    r.green = (uint16_t)((a.green + b.green) / 2);
    r.blue = (uint16_t)((a.blue + b.blue) / 2);
    return r.packed;
}

int main(void)
{
    int registers[4] = { 0, 10, 20, 30 };
    union instruction program[] = { encode(8, 1, 2, -5), encode(8, 2, 3, 300), encode(9, 3, 1, -32768), { .word = 0 } };
    program[3].j.opcode = 2;
    program[3].j.target = 0x3abcdef;
    for (int k = 0; k < 4; k++) {
        union instruction in = program[k];
        printf("%08x op %u rs %u rt %u imm %d target %x\n", in.word, in.i.opcode, in.i.rs, in.i.rt, in.i.immediate,
               in.j.target);
        if (in.i.opcode == 8)
            registers[in.i.rt] = registers[in.i.rs] + in.i.immediate;
    }
    printf("registers %d %d %d\n", registers[1], registers[2], registers[3]);

    struct boundary b;
    memset(&b, 0, sizeof b);
    b.a = 7;
    b.b = 21;
    b.c = 0x55;
    b.d = 2;
    unsigned char bytes[sizeof b];
    memcpy(bytes, &b, sizeof b);
    for (size_t k = 0; k < sizeof b; k++)
        printf("%02x ", bytes[k]);
    printf("size %zu\n", sizeof b);

    union color c = { 0xf81f };
    printf("color %u %u %u\n", c.red, c.green, c.blue);
    for (uint16_t y = 0; y < 0xf000; y = (uint16_t)(y + 0x3333))
        printf("blend %04x\n", blend(c.packed, y));
    return blend(0xffff, 0x1234) & 0x7f;
}
