// Branch-free choices: minimum, maximum, absolute value, sign, masks, conditional pointers and structs.
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>

struct range { int low, high; };

static int min(int a, int b) { return a < b ? a : b; }
static unsigned max_u(unsigned a, unsigned b) { return a > b ? a : b; }
static long sign(long v) { return (v > 0) - (v < 0); }
static int abs_mask(int v) { int m = v >> 31; return (v ^ m) - m; }
static uint64_t select_mask(int c, uint64_t a, uint64_t b) { return (a & -(uint64_t)!!c) | (b & ~-(uint64_t)!!c); }
static double clamp(double v, double low, double high) { return v < low ? low : v > high ? high : v; }
static const char *pick(int c, const char *a, const char *b) { return c ? a : b; }
static struct range wider(struct range a, struct range b) { return a.high - a.low >= b.high - b.low ? a : b; }
static int *larger(int *a, int *b) { return *a > *b ? a : b; }
static int median(int a, int b, int c) { return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b); }
static int (*operation(int add))(int, int);

static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static int (*operation(int add))(int, int) { return add ? plus : minus; }

int main(void)
{
    int v[] = { 0, 1, -1, 1000, -1000, 2147483647, -2147483647 };
    for (int i = 0; i < 7; i++)
        printf("%d: abs %d %d sign %ld min %d max %u\n", v[i], abs(v[i]), abs_mask(v[i]), sign(v[i]), min(v[i], 5),
               max_u((unsigned)v[i], 5));
    printf("labs %ld %ld\n", labs(-(1L << 40)), labs(7));
    printf("mask %llx %llx\n", (unsigned long long)select_mask(1, 0xaaaa, 0x5555),
           (unsigned long long)select_mask(0, 0xaaaa, 0x5555));
    printf("clamp %g %g %g\n", clamp(-1.5, 0, 1), clamp(0.25, 0, 1), clamp(9, 0, 1));
    printf("pick %s %s\n", pick(1, "yes", "no"), pick(0, "yes", "no"));
    struct range r = wider((struct range){ 1, 5 }, (struct range){ -3, 2 });
    printf("wider %d %d\n", r.low, r.high);
    int a = 10, b = 20;
    *larger(&a, &b) += 5;
    *larger(&b, &a) -= 100;
    printf("larger %d %d\n", a, b);
    int order[] = { 1, 2, 3 };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (j != i)
                printf("%d ", median(order[i], order[j], order[3 - i - j]));
    printf("\noperation %d %d\n", operation(1)(8, 3), operation(0)(8, 3));
    int sum = 0;
    for (int i = -8; i <= 8; i++)
        sum += i % 3 == 0 ? i * i : i % 3 < 0 ? -i : 1;
    printf("sum %d\n", sum);
    return sum;
}
