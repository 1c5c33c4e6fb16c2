// Vector shuffles and conversions: permutations of one and two vectors, widening, narrowing, bit casts.
#include <stdio.h>
#include <string.h>
#include <stdint.h>

typedef int v4si __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
typedef short v4hi __attribute__((vector_size(8)));
typedef short v8hi __attribute__((vector_size(16)));
typedef unsigned char v16qi __attribute__((vector_size(16)));
typedef unsigned char v8qi __attribute__((vector_size(8)));
typedef long v2di __attribute__((vector_size(16)));
typedef double v4df __attribute__((vector_size(32)));

static void show(const char *what, v4si v) { printf("%s %d %d %d %d\n", what, v[0], v[1], v[2], v[3]); }

static v4si reverse(v4si v) { return __builtin_shufflevector(v, v, 3, 2, 1, 0); }
static v4si interleave_low(v4si a, v4si b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
static v4si broadcast(v4si v) { return __builtin_shufflevector(v, v, 2, 2, 2, 2); }

static v4si transpose_step(v4si rows[4])
{
    v4si a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 2, 6);
    v4si b = __builtin_shufflevector(rows[2], rows[3], 0, 4, 2, 6);
    return __builtin_shufflevector(a, b, 0, 1, 4, 5);
}

int main(void)
{
    v4si a = { 1, 2, 3, 4 }, b = { 50, 60, 70, 80 };
    show("reverse", reverse(a));
    show("interleave", interleave_low(a, b));
    show("broadcast", broadcast(b));
    v4si rows[4] = { a, b, a * 10, b * 10 };
    show("transpose", transpose_step(rows));

    v8hi wide = __builtin_shufflevector((v4hi){ 1, 2, 3, 4 }, (v4hi){ 5, 6, 7, 8 }, 7, 0, 6, 1, 5, 2, 4, 3);
    for (int i = 0; i < 8; i++)
        printf("%d ", wide[i]);
    v4hi part = __builtin_shufflevector(wide, wide, 0, 2, 4, 6);
    printf("part %d %d %d %d\n", part[0], part[1], part[2], part[3]);

    v4sf f = __builtin_convertvector(a * 3 - 7, v4sf);
    printf("to float %g %g %g %g\n", (double)f[0], (double)f[1], (double)f[2], (double)f[3]);
    f = f * 1.75f;
    show("to int", __builtin_convertvector(f, v4si));
    v4hi narrow = __builtin_convertvector(b * 1000, v4hi);
    show("sign extended", __builtin_convertvector(narrow, v4si));
    v8qi bytes = { 250, 1, 2, 3, 128, 5, 6, 7 };
    v8hi extended = __builtin_convertvector(bytes, v8hi);
    printf("zero extended %d %d\n", extended[0], extended[4]);
    v4df d = __builtin_convertvector(f, v4df);
    printf("double %g %g\n", d[0], d[3] / 2);

    v16qi raw = (v16qi)a;
    printf("bytes %d %d %d %d\n", raw[0], raw[4], raw[8], raw[12]);
    v2di pairs = (v2di)b;
    printf("pairs %lx %lx\n", (unsigned long)pairs[0], (unsigned long)pairs[1]);
    v4si from_float = (v4si)(v4sf){ 1.0f, -2.0f, 0.5f, 0.0f };
    printf("bits %08x %08x %08x\n", (unsigned)from_float[0], (unsigned)from_float[1], (unsigned)from_float[2]);
    return reverse(b)[0];
}
