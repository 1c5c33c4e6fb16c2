// Double frees that need a caller.
// args: --latent --only double-free
#include "../stubs.h"

static void finish_latent(int early)
{
    char *p = malloc(8);
    if (!p)
        return;
    if (early == 3)
        free(p);
    free(p); //~ latent double-free
}

void early_bad(void)
{
    finish_latent(3); //~ double-free
}

void late_ok(void) { finish_latent(4); }

/* Still latent, and the same defect: the finding in the callee says it. */
void passed_on(int n) { finish_latent(n + 1); }

void masked_ok(int n) { finish_latent(n & 4); }
