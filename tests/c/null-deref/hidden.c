// What decides in a callee about what it returns is told to its callers, also if they cannot see all of it.
// args: --skip doomed
#include "../stubs.h"

static int confirmed(void)
{
    int n = any(), m = any();
    if (n < m && m < 5) //~ step #a2 "taking the branch where `any() < any()`"
    //~^ step #a3 "taking the branch where `any() < 5`"
        return n;
    return 0;
}

int never_seven_ok(void)
{
    int *p = NULL;
    if (confirmed() == 7)
        return *p;
    return 0;
}

int may_be_three_bad(void)
{
    int *p = NULL;
    if (confirmed() == 3) //~ step #a1 "calls `confirmed`" //~ step #a4 "taking the branch where `any() == 3`"
        return *p; //~ null-deref #a "`p` is null and is dereferenced" cause program when "true"
    return 0;
}

static int next(void)
{
    int n = any();
    int more = n + 1;
    if (more < n)
        return more;
    return 0;
}

// Nothing comes back from where C leaves the callee undefined.
int never_wraps_ok(void)
{
    int *p = NULL;
    if (next() < 0)
        return *p;
    return 0;
}
