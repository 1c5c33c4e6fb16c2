// Le et al., OOPSLA 2022, §5: what rests on the answer of an unknown function can be left out.
// args: --no-unknown --skip doomed
#include "../stubs.h"

int decided_ok(void)
{
    int *p = 0;
    if (any())
        return *p;
    return 0;
}

int returned_ok(void)
{
    int *p = any_pointer();
    if (!p)
        report("null");
    return *p;
}

static int deep(void) { return any(); }

int decided_in_a_callee_ok(void)
{
    int *p = 0;
    return deep() == 3 ? *p : 0;
}

// It does not matter what is answered.
int not_decided_bad(void)
{
    int *p = 0;
    if (any())
        report("something");
    return *p; //~ null-deref
}

int divided_bad(void)
{
    int *p = 0;
    int x = 100 / any();
    return *p + x; //~ null-deref
}

int allocation_bad(void)
{
    int *p = malloc(4);
    *p = 1; //~ null-deref cause environment
    free(p);
    return 0;
}
