// Constants divided by the constant 0. Clang folds them, so that no division is left to be told (docs/limits.md); but C says nothing
// about what stands behind, and neither does indict.
// args: --skip doomed
#include "../stubs.h"

int remainder_of_a_variable_bad(int n)
{
    int x = n % 0; //~ div-by-zero "division by `0`, which is zero" cause program when "true"
    int *r = 0;
    return x + *r;
}

int of_a_variable_bad(int n)
{
    int x = n / 0; //~ div-by-zero
    int *r = 0;
    return x + *r;
}

int by_a_variable_bad(void)
{
    int zero = 0;
    int x = 100 / zero; //~ div-by-zero
    int *r = 0;
    return x + *r;
}

int FN_literals_bad(void) { return 100 / 0; } // FN: clang folds it, docs/limits.md

// No second error rests on what was divided.
int branch_ok(int *p)
{
    int x = 100 / 0;
    if (x)
        p = 0;
    free(p);
    free(p);
    return x;
}

int address_ok(void)
{
    int a[4] = { 0 };
    return a[5 / 0];
}

int store_ok(int *p, int *r)
{
    *p = 7 / 0;
    free(r);
    return *r;
}

int choice_ok(int n)
{
    int x = n > 5 ? 7 / 0 : 1;
    char *block = malloc(4);
    if (!block)
        return 0;
    if (x == 1)
        free(block);
    return x;
}

static int divided(void) { return 7 / 0; }

int in_a_callee_ok(int *r)
{
    int x = divided();
    free(r);
    return *r + x;
}

int never_divided_ok(void) { return sizeof(int) == 1 ? 7 / 0 : 1; }
