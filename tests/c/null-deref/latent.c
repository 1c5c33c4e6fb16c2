// Null dereferences that need a caller, and what becomes of them in one.
// args: --latent --only null-deref --skip doomed
#include "../stubs.h"

struct pair {
    int first, second;
};

int parameter_latent(int *p)
{
    return *p; //~ latent null-deref "`p`" cause caller when "p == 0"
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
    if (!p) //~ step #a1 "taking the branch where `p` is null"
        report("null");
    return *p; //~ latent null-deref #a "`p` is null and is dereferenced" cause caller when "p == 0"
}

int condition_latent(int flag)
{
    int *p = NULL;
    if (flag) //~ step #b1 "taking the branch where `flag != 0`"
    //~^ step #f2 "taking the branch where `flag != 0`"
        return *p; //~ latent null-deref #b "`p` is null and is dereferenced" cause program when "flag != 0"
        //~^ step #f3 "`p` is null and is dereferenced"
    return 0;
}

int arithmetic_condition_latent(unsigned n)
{
    int *p = NULL;
    if (n * 3 == 7) //~ step #c1 "taking the branch where `n == 0xaaaaaaad`"
        return *p;
        //~^ latent null-deref #c "`p` is null and is dereferenced" cause program when "n == 0xaaaaaaad"
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
    if (mode == 3) //~ step #d1 "taking the branch where `mode == 3`"
    //~^ step #g2 "taking the branch where `mode == 3`"
        return *p; //~ latent null-deref #d "`p` is null and is dereferenced" cause program when "mode == 3"
        //~^ step #g3 "`p` is null and is dereferenced"
    return 0;
}

int cell_condition_latent(struct pair *pair)
{
    int *p = pair->first == 4 ? NULL : &pair->second; //~ latent null-deref
    //~^ step #e1 "taking the branch where `pair->first == 4`"
    return *p;
    //~^ latent null-deref #e "`p` is null and is dereferenced" cause program when "pair->first == 4"
}

int calls_with_other_flag_ok(void) { return condition_latent(0); }

int calls_with_flag_bad(void)
{
    return condition_latent(5);
    //~^ null-deref #f "in `condition_latent`: `p` is null and is dereferenced" cause program when "true"
    //~^ step #f1 "this call makes `condition_latent` fail"
}

/* Still latent, and the same defect: the finding in the callee says it. */
int passes_condition_on(int n) { return condition_latent(n > 10); }

int sets_global_bad(void)
{
    mode = 3;
    return global_condition_latent();
    //~^ null-deref #g "in `global_condition_latent`: `p` is null and is dereferenced" cause program
    //~^ step #g1 "this call makes `global_condition_latent` fail"
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
    *out = p; //~ latent null-deref cause caller when "out == 0"
    return p != NULL;
}

// `free(NULL)` is allowed, and says nothing of the pointer.
int null_behind_free_latent(int *p)
{
    int *n = NULL;
    free(p);
    if (!p)
        return *n; //~ latent null-deref cause program when "p == 0"
    return 0;
}
