// Uses after scope that need a caller.
// args: --latent --only use-after-scope
#include "../stubs.h"

static int pick_latent(int flag)
{
    int x = 1;
    int *p = &x;
    if (flag == 2) { //~ step #a1 "taking the branch where `flag == 2`"
    //~^ step #b2 "taking the branch where `flag == 2`"
        int y = 2;
        p = &y;
    } //~ step #a2 "the scope of the variable ends" //~ step #b3 "the scope of the variable ends"
    return *p;
    //~^ latent use-after-scope #a "`p` refers to local variable `y`" cause program when "flag == 2"
    //~^ step #b4 "`p` refers to local variable `y`, whose scope has ended"
}

int pick_two_bad(void)
{
    return pick_latent(2);
    //~^ use-after-scope #b "in `pick_latent`: `p` refers to local variable `y`" cause program when "true"
    //~^ step #b1 "this call makes `pick_latent` fail"
}

int pick_three_ok(void) { return pick_latent(3); }

/* Still latent, and the same defect: the finding in the callee says it. */
int pick_twice(int n) { return pick_latent(2 * (n & 255)); }

int pick_odd_ok(int n) { return pick_latent(n | 1); }
