// Elementwise and reducing builtins: minimum, maximum, absolute value, saturating sums, and reductions over lanes.
#include <stdio.h>
#include <stdint.h>
#include <limits.h>

typedef int v4si __attribute__((vector_size(16)));
typedef unsigned v4ui __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
typedef signed char v16qi __attribute__((vector_size(16)));

#define MIN(a, b) __builtin_elementwise_min(a, b)
#define MAX(a, b) __builtin_elementwise_max(a, b)
#define ABS(a) __builtin_elementwise_abs(a)
#define ADD_SAT(a, b) __builtin_elementwise_add_sat(a, b)
#define SUB_SAT(a, b) __builtin_elementwise_sub_sat(a, b)
#define SUM(v) __builtin_reduce_add(v)
#define PRODUCT(v) __builtin_reduce_mul(v)
#define LARGEST(v) __builtin_reduce_max(v)
#define SMALLEST(v) __builtin_reduce_min(v)
#define XOR(v) __builtin_reduce_xor(v)
#define AND(v) __builtin_reduce_and(v)
#define OR(v) __builtin_reduce_or(v)

static void show(const char *what, v4si v) { printf("%-8s %d %d %d %d\n", what, v[0], v[1], v[2], v[3]); }

static int sat_add(int a, int b) { return ADD_SAT(a, b); }
static unsigned char sat_sub(unsigned char a, unsigned char b) { return SUB_SAT(a, b); }
static uint64_t sat_add64(uint64_t a, uint64_t b) { return ADD_SAT(a, b); }

int main(void)
{
    v4si a = { 5, -7, INT_MAX, INT_MIN }, b = { -5, 100, 1, -1 };
    show("min", MIN(a, b));
    show("max", MAX(a, b));
    show("umin", (v4si)MIN((v4ui)a, (v4ui)b));
    show("abs", ABS(((v4si){ -3, 3, 0, -INT_MAX })));
    show("add sat", ADD_SAT(a, b));
    show("sub sat", SUB_SAT(a, b));
    show("uadd sat", (v4si)ADD_SAT((v4ui)a, (v4ui)b));
    v4si small = { 2, -3, 5, 7 };
    printf("reduce %d %d %d %d\n", SUM(small), PRODUCT(small), LARGEST(small), SMALLEST(small));
    printf("bits %x %x %x\n", (unsigned)XOR(a), (unsigned)AND(a | 1), (unsigned)OR(small));
    v4ui u = { 1, 0xffffffff, 7, 0x80000000 };
    printf("unsigned %u %u %u\n", SUM(u), LARGEST(u), SMALLEST(u));
    v16qi c;
    for (int i = 0; i < 16; i++)
        c[i] = (signed char)(i * 37 - 100);
    printf("bytes %d %d %d\n", SUM(c), LARGEST(c), SMALLEST(c));
    v16qi doubled = ADD_SAT(c, c);
    for (int i = 0; i < 16; i++)
        printf("%d ", doubled[i]);
    putchar('\n');
    v4sf f = { 1.5f, -2.5f, 8.0f, 0.25f }, g = { 1.0f, -3.0f, 9.0f, 0.5f };
    v4sf low = MIN(f, g), high = MAX(f, g), magnitude = ABS(f);
    printf("floats %g %g %g %g\n", (double)low[1], (double)high[2], (double)magnitude[1], (double)LARGEST(f));
    v4sf rounded[3] = { __builtin_elementwise_floor(f), __builtin_elementwise_ceil(f), __builtin_elementwise_trunc(f) };
    for (int i = 0; i < 3; i++)
        printf("rounded %g %g %g\n", (double)rounded[i][0], (double)rounded[i][1], (double)rounded[i][3]);
    printf("scalars %d %d %d %d\n", sat_add(INT_MAX, 5), sat_add(INT_MIN, -5), sat_add(3, 4), sat_sub(5, 9));
    printf("wide %llx %d\n", (unsigned long long)sat_add64(UINT64_MAX - 1, 7), MAX(3, 9) * MIN(3, 9));
    return LARGEST(small) * 10;
}
