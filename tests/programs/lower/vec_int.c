// Integer vectors: lane-wise arithmetic, shifts, bitwise operations, subscripts, spread scalars, loads and stores.
#include <stdio.h>
#include <string.h>
#include <stdint.h>

typedef int v4si __attribute__((vector_size(16)));
typedef unsigned v4ui __attribute__((vector_size(16)));
typedef short v8hi __attribute__((vector_size(16)));
typedef unsigned char v16qi __attribute__((vector_size(16)));
typedef long long v2di __attribute__((vector_size(16)));

static void show4(const char *what, v4si v) { printf("%s %d %d %d %d\n", what, v[0], v[1], v[2], v[3]); }

static v4si multiply_add(v4si a, v4si b, v4si c) { return a * b + c; }

static int sum(v4si v)
{
    int total = 0;
    for (int i = 0; i < 4; i++)
        total += v[i];
    return total;
}

static v4ui hash(v4ui h, unsigned k)
{
    h ^= h >> 15;
    h *= k;
    h = h << 7 | h >> 25;
    return h;
}

struct holder {
    char tag;
    v4si value;
    v8hi list[2];
};

int main(void)
{
    v4si a = { 1, -2, 3, -4 }, b = { 10, 20, 30, 40 };
    show4("add", a + b);
    show4("sub", b - a);
    show4("mul", a * b);
    show4("div", b / a);
    show4("rem", b % (v4si){ 3, 7, 4, 9 });
    show4("neg", -a);
    show4("not", ~a & 0xff);
    show4("shl", a << (v4si){ 0, 0, 3, 0 } & (v4si){ -1, 0, -1, 0 });
    show4("sar", a >> 1);
    show4("spread", b * 2 + 1);
    show4("fma", multiply_add(a, b, a));
    printf("sum %d\n", sum(a - b));
    v4ui h = { 1, 2, 3, 0xffffffff };
    for (int i = 0; i < 3; i++)
        h = hash(h, 0x85ebca6b + (unsigned)i);
    printf("hash %08x %08x %08x %08x\n", h[0], h[1], h[2], h[3]);

    v8hi s = { 1, 2, 3, 4, 32767, -32768, 7, 8 };
    s *= s;
    s[2] = -100;
    printf("short %d %d %d %d %d\n", s[2], s[3], s[4], s[5], s[7]);
    v16qi c;
    for (int i = 0; i < 16; i++)
        c[i] = (unsigned char)(i * 17);
    c += 100;
    c ^= c >> 4;
    for (int i = 0; i < 16; i++)
        printf("%02x", c[i]);
    v2di w = { 1LL << 40, -5 };
    w = w * w - 1;
    printf(" wide %lld %lld\n", w[0], w[1]);

    int memory[8] = { 5, 6, 7, 8, 9, 10, 11, 12 };
    v4si loaded;
    memcpy(&loaded, memory + 3, sizeof loaded);
    loaded[1] += 1000;
    memcpy(memory, &loaded, sizeof loaded);
    printf("memory %d %d %d %d\n", memory[0], memory[1], memory[3], memory[4]);
    struct holder x = { 't', a, { s, -s } }, y = x;
    y.value[3] = 44;
    y.list[1] += y.list[0] + 1;
    printf("holder %d %d %d size %zu\n", x.value[3], y.value[3], y.list[1][6], sizeof x);
    return sum(y.value);
}
