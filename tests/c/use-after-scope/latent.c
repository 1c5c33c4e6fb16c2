// Uses after scope that need a caller.
// args: --latent --only use-after-scope
#include "../stubs.h"

static int pick_latent(int flag)
{
    int x = 1;
    int *p = &x;
    if (flag == 2) {
        int y = 2;
        p = &y;
    }
    return *p; //~ latent use-after-scope
}

int pick_two_bad(void)
{
    return pick_latent(2); //~ use-after-scope
}

int pick_three_ok(void) { return pick_latent(3); }

/* Still latent, and the same defect: the finding in the callee says it. */
int pick_twice(int n) { return pick_latent(2 * (n & 255)); }

int pick_odd_ok(int n) { return pick_latent(n | 1); }
