// Raad et al., CAV 2020, §5: the analysis of one function at a time. Calls are skipped, and what they return is fresh.
// args: --intraprocedural --skip doomed
#include "../stubs.h"

static int *none(void) { return 0; }
static void release(char *p) { free(p); }
static int zero(void) { return 0; }

int null_of_a_callee_ok(void)
{
    int *p = none();
    return *p;
}

int freed_by_a_callee_ok(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    release(p);
    *p = 1;
    return 0;
}

int divided_by_a_callee_ok(int n) { return n / zero(); }

// What may be kept is not lost.
void kept_ok(void)
{
    char *p = malloc(4);
    release(p);
}

int written_by_a_callee_ok(void)
{
    int x = 0;
    int *p = &x;
    fill(&x);
    return x ? *p : 0;
}

// The function's own errors, with the library that is modeled.
int own_bad(void)
{
    int *p = malloc(4);
    *p = zero(); //~ null-deref
    free(p);
    free(p); //~ double-free
    return 0;
}

int tested_bad(void)
{
    int *p = none();
    if (!p)
        release(0);
    return *p; //~ null-deref "`p` is null"
}
