// Double frees that need a caller.
// args: --latent --only double-free --skip doomed
#include "../stubs.h"

static void finish_latent(int early)
{
    char *p = malloc(8); //~ step #a1 "the block is allocated" //~ step #b2 "the block is allocated"
    if (!p)
        return;
    if (early == 3) //~ step #a2 "taking the branch where `early == 3`"
    //~^ step #b3 "taking the branch where `early == 3`"
        free(p); //~ step #a3 "the block is freed" //~ step #b4 "the block is freed"
    free(p); //~ latent double-free #a "`p` is freed a second time" cause program when "early == 3"
    //~^ step #b5 "`p` is freed a second time"
}

void early_bad(void)
{
    finish_latent(3); //~ double-free #b "in `finish_latent`: `p` is freed a second time" cause program
    //~^ step #b1 "this call makes `finish_latent` fail"
}

void late_ok(void) { finish_latent(4); }

/* Still latent, and the same defect: the finding in the callee says it. */
void passed_on(int n) { finish_latent(n + 1); }

void masked_ok(int n) { finish_latent(n & 4); }
