// Null dereferences that need a caller, and what becomes of them in one.
// args: --latent --only null-deref
#include "../stubs.h"

struct pair {
    int first, second;
};

int parameter_latent(int *p)
{
    return *p; //~ latent null-deref "`p`"
}

int second_access_latent(struct pair *p)
{
    p->first = 1; //~ latent null-deref
    return p->second;
}

int guarded_ok(int *p) { return p ? *p : 0; }

int tested_too_late_latent(int *p)
{
    int value = *p; //~ latent null-deref
    return p ? value : 0;
}

int tested_and_used_latent(int *p)
{
    if (!p)
        report("null");
    return *p; //~ latent null-deref
}

int condition_latent(int flag)
{
    int *p = NULL;
    if (flag)
        return *p; //~ latent null-deref
    return 0;
}

int arithmetic_condition_latent(unsigned n)
{
    int *p = NULL;
    if (n * 3 == 7)
        return *p; //~ latent null-deref
    return 0;
}

int impossible_condition_ok(unsigned n)
{
    int *p = NULL;
    if (n * 2 == 7)
        return *p;
    return 0;
}

int mode;

int global_condition_latent(void)
{
    int *p = NULL;
    if (mode == 3)
        return *p; //~ latent null-deref
    return 0;
}

int cell_condition_latent(struct pair *pair)
{
    int *p = pair->first == 4 ? NULL : &pair->second; //~ latent null-deref
    return *p; //~ latent null-deref
}

int calls_with_other_flag_ok(void) { return condition_latent(0); }

int calls_with_flag_bad(void)
{
    return condition_latent(5); //~ null-deref
}

/* Still latent, and the same defect: the finding in the callee says it. */
int passes_condition_on(int n) { return condition_latent(n > 10); }

int sets_global_bad(void)
{
    mode = 3;
    return global_condition_latent(); //~ null-deref
}

int sets_global_ok(void)
{
    mode = 4;
    return global_condition_latent();
}

int both_ways_to_one_place_bad(int flag)
{
    int *p = NULL;
    if (flag)
        mode = 1;
    else
        mode = 2;
    return *p; //~ null-deref
}

int out_parameter_latent(int **out)
{
    int *p = malloc(sizeof *p);
    *out = p; //~ latent null-deref
    return p != NULL;
}

// `free(NULL)` is allowed, and says nothing of the pointer.
int null_behind_free_latent(int *p)
{
    int *n = NULL;
    free(p);
    if (!p)
        return *n; //~ latent null-deref
    return 0;
}
