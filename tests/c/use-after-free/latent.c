// Uses after free that need a caller.
// args: --latent --only use-after-free --skip doomed
#include "../stubs.h"

static int cleanup_latent(int failed)
{
    int *p = calloc(1, sizeof *p); //~ step #a1 "the block is allocated" //~ step #b2 "the block is allocated"
    if (!p)
        return -1;
    if (failed) //~ step #a2 "taking the branch where `failed != 0`"
    //~^ step #b3 "taking the branch where `failed != 0`"
        free(p); //~ step #a3 "the block is freed" //~ step #b4 "the block is freed"
    int value = *p;
    //~^ latent use-after-free #a "`p` is used after it was freed" cause program when "failed != 0"
    //~^ step #b5 "`p` is used after it was freed"
    if (!failed)
        free(p);
    return value;
}

int never_fails_ok(void) { return cleanup_latent(0); }

int fails_bad(void)
{
    return cleanup_latent(1);
    //~^ use-after-free #b "in `cleanup_latent`: `p` is used after it was freed" cause program when "true"
    //~^ step #b1 "this call makes `cleanup_latent` fail"
}

/* The same defect again: cause and failure are in the callee, so the finding above stands for it. */
int fails_sometimes(void) { return cleanup_latent(any()); }

/* Still latent, and the same defect: the finding in the callee says it. */
int fails_for_caller(int limit) { return cleanup_latent(limit < 10); }

int consistent_ok(int failed)
{
    int *p = calloc(1, sizeof *p);
    if (!p)
        return -1;
    int value = failed ? 0 : *p;
    free(p);
    return value;
}
