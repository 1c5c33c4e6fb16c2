// args: --latent --only null-deref
// One cause, several places: who can prevent each of the errors, but not all, prevents nothing.
#include "../stubs.h"

struct pair { int first, second; };

int either_member_bad(int flag)
{
    struct pair *p = malloc(sizeof *p); //~ step #a1 "`malloc` returns null"
    if (flag) //~ step #a2 "taking the branch where `flag != 0`"
        p->first = 1; //~ null-deref #a "`p` is null and is dereferenced" cause environment when "true"
    else
        p->second = 2; //~ step #a3 "on other paths it happens here"
    free(p);
    return flag;
}

static void set_first(struct pair *p) { p->first = 1; } //~ latent null-deref
//~^ step #b6 "the null pointer is dereferenced here"
static void set_second(struct pair *p) { p->second = 2; } //~ latent null-deref
//~^ step #b4 "on other paths it happens here"

int either_callee_bad(int flag)
{
    struct pair *p = malloc(sizeof *p); //~ step #b1 "`malloc` returns null"
    if (flag) //~ step #b2 "taking the branch where `flag != 0`"
        set_first(p); //~ null-deref #b "`p` is null, and `set_first` dereferences it" cause environment
        //~^ step #b5 "the pointer is passed here"
    else
        set_second(p); //~ step #b3 "calls `set_second`"
    free(p);
    return flag;
}

// One of the ways is a good one: callers choose.
int one_member_latent(int flag)
{
    struct pair *p = malloc(sizeof *p); //~ step #c1 "`malloc` returns null"
    if (flag) //~ step #c2 "taking the branch where `flag != 0`"
        p->first = 1;
        //~^ latent null-deref #c "`p` is null and is dereferenced" cause environment when "flag != 0"
    free(p);
    return flag;
}

// The values are not followed, but each of them leads to an error.
int whatever_the_sum_bad(const int *numbers, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += numbers[i] * 7 ^ sum; //~ latent null-deref
    struct pair *p = malloc(sizeof *p);
    if (sum & 4)
        p->first = 1;
    else
        p->second = 2; //~ null-deref
    free(p);
    return 0;
}

// What unknown code has left behind is the same on both ways.
static int mode;
void let_choose(int *);

int mode_that_unknown_code_chose_ok(void)
{
    struct pair *p = NULL;
    let_choose(&mode);
    if (mode == 2)
        p = malloc(sizeof *p);
    if (mode == 2 && p)
        p->first = 1;
    if (mode != 2)
        return 0;
    free(p);
    return 1;
}
