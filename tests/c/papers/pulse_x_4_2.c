// Le et al., Finding Real Bugs in Big Programs with Incorrectness Logic, §4.2: what the implementation does with unknown
// procedures, arithmetic, assertions of the programmer, and errors that were reported already.
#include "../stubs.h"

int unknown_result_ok(void) { return *any_pointer(); }

int unknown_writes_argument_ok(void)
{
    int *p = NULL;
    make(&p);
    return *p;
}

int unknown_keeps_the_rest_bad(void)
{
    int *p = NULL, other = 0;
    fill(&other);
    return *p + other; //~ null-deref
}

/* A prover for rationals calls this branch feasible; machine integers do not. */
int machine_integers_ok(unsigned n)
{
    int *p = NULL;
    if (2 * n == 1)
        return *p;
    return 0;
}

/* And the other way around: rationals never wrap. */
int wrapping_bad(void)
{
    int *p = NULL;
    unsigned n = any_unsigned();
    if (n > 5 && n + 5 < 5)
        return *p; //~ null-deref
    return 0;
}

int warned_off_by_abort_ok(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        abort();
    *p = 1;
    free(p);
    return 0;
}

int warned_off_by_assertion_ok(void)
{
    int *p = malloc(sizeof *p);
    assert(p);
    *p = 1;
    free(p);
    return 0;
}

static int reported_once_bad(void)
{
    int *p = NULL;
    return *p; //~ null-deref
}

int first_caller(void) { return reported_once_bad(); }
int second_caller(void) { return reported_once_bad() + first_caller(); }

int loop_within_bound_bad(void)
{
    int *p = NULL, rounds = 0;
    while (rounds < 2)
        rounds++;
    return *p; //~ null-deref
}

/* 20 of 64 paths are kept, and their conditions are not valid; but whoever comes here fails. */
int many_paths_bad(int a, int b, int c, int d, int e, int f)
{
    int *p = NULL, sum = 0;
    if (a) sum += 1;
    if (b) sum += 2;
    if (c) sum += 4;
    if (d) sum += 8;
    if (e) sum += 16;
    if (f) sum += 32;
    return *p + sum; //~ doomed null-deref
}
