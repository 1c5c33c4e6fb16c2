// A leak needs a run that comes to the end: what is lost on the way to an error, or into a loop without end, is nobody's concern.
// args: --skip doomed
#include "../stubs.h"

void assertion_bad(int x)
{
    char *p = malloc(4);
    p = 0;
    assert(x < 0 && x > 0); //~ assert-failure
    use(p);
}

int every_run_fails_bad(void)
{
    char *p = malloc(4);
    if (!p)
        return 1;
    for (int i = 0; i < 20; i++)
        assert(i < 10); //~ assert-failure
    return 0;
}

int every_run_divides_bad(void)
{
    char *p = malloc(4);
    if (!p)
        return 1;
    int sum = 0;
    for (int i = 0; i < 20; i++)
        sum += 10 / (10 - i); //~ div-by-zero
    return sum;
}

int every_run_leaves_the_array_bad(void)
{
    char *p = malloc(4);
    if (!p)
        return 1;
    int a[4];
    for (int i = 0; i < 100; i++)
        a[i] = i; //~ out-of-bounds
    use(a);
    return 0;
}

// Too late to be followed: nobody knows whether the loop is left.
int FN_every_run_fails_late_bad(void) // FN: the assertion fails beyond the rounds that are followed, docs/limits.md
{
    char *p = malloc(4);
    if (!p)
        return 1;
    for (int i = 0; i < 1000; i++)
        assert(i < 500);
    return 0;
}

static void fails_bad(void)
{
    for (int i = 0; i < 20; i++)
        assert(i < 10); //~ assert-failure
}

int callee_fails_ok(void)
{
    char *p = malloc(4);
    if (!p)
        return 1;
    p = 0;
    fails_bad();
    return 0;
}

int never_ends_ok(int n)
{
    char *p = malloc(4);
    if (!p)
        return 1;
    p = 0;
    int i = 0;
    while (i < 10)
        n++;
    return 0;
}

int lost_again_bad(void)
{
    char *p = malloc(4);
    p = 0;
    *p = 1; //~ null-deref
    return 0;
}

// Some runs come to the end.
int some_fail_bad(int n)
{
    char *p = malloc(4); //~ memory-leak
    if (!p)
        return 1;
    for (int i = 0; i < n; i++)
        assert(i < 10);
    return 0;
}

int loop_ends_bad(void)
{
    char *p = malloc(4); //~ memory-leak
    if (!p)
        return 1;
    int sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += i;
    return sum;
}

int one_way_latent(int c)
{
    char *p = malloc(4); //~ latent memory-leak when "c == 0"
    if (!p)
        return 1;
    p = 0;
    int *q = 0;
    if (c)
        *q = 1;
    return 0;
}
