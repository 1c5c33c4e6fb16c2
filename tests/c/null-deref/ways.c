// A callee with more ways than are kept: those that do the same become one, so that every caller finds its own.
#include "../stubs.h"

static void nothing(void) { }

static int tests(int a, int b, int c, int d, int e, int f)
{
    if (a > 1)
        nothing();
    if (b > 1)
        nothing();
    if (c > 1)
        nothing();
    if (d > 1)
        nothing();
    if (e > 1)
        nothing();
    if (f > 1)
        nothing();
    return a + b + c + d + e + f;
}

int behind_many_ways_bad(void)
{
    int n = tests(1, 1, 2, 1, 2, 1);
    int *p = malloc(sizeof *p);
    if (n == 8)
        *p = n; //~ null-deref
    free(p);
    return n;
}

int behind_other_ways_bad(void)
{
    int n = tests(2, 2, 2, 1, 2, 1);
    int *p = malloc(sizeof *p);
    if (n == 10)
        *p = n; //~ null-deref
    free(p);
    return n;
}

int what_all_ways_return_ok(void)
{
    int *p = tests(1, 2, 1, 2, 1, 2) == 9 ? &(int){ 1 } : 0;
    return *p;
}
