// args: --latent --only null-deref
// One cause, several places: who can prevent each of the errors, but not all, prevents nothing.
#include "../stubs.h"

struct pair { int first, second; };

int either_member_bad(int flag)
{
    struct pair *p = malloc(sizeof *p);
    if (flag)
        p->first = 1; //~ null-deref
    else
        p->second = 2;
    free(p);
    return flag;
}

static void set_first(struct pair *p) { p->first = 1; } //~ latent null-deref
static void set_second(struct pair *p) { p->second = 2; } //~ latent null-deref

int either_callee_bad(int flag)
{
    struct pair *p = malloc(sizeof *p);
    if (flag)
        set_first(p); //~ null-deref
    else
        set_second(p);
    free(p);
    return flag;
}

// One of the ways is a good one: callers choose.
int one_member_latent(int flag)
{
    struct pair *p = malloc(sizeof *p);
    if (flag)
        p->first = 1; //~ latent null-deref
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
