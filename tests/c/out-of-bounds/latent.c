// Indices that only a caller knows.
// args: --latent --only out-of-bounds
#include "../stubs.h"

static int pick_latent(int i)
{
    static const int table[4] = {1, 2, 3, 4};
    return table[i]; //~ latent out-of-bounds
}

int pick_third_ok(void) { return pick_latent(3); }

int pick_fifth_bad(void)
{
    return pick_latent(5); //~ out-of-bounds
}

int pick_checked_ok(int i) { return i >= 0 && i < 4 ? pick_latent(i) : 0; }

/* Still latent, and the same defect: the finding in the callee says it. */
int pick_half_checked(int i) { return i < 4 ? pick_latent(i) : 0; }

int pick_masked_ok(int i) { return pick_latent(i & 3); }

int pick_bit_ok(int i) { return pick_latent(i != 0); }

int grow_latent(unsigned n)
{
    int *p = calloc(n, sizeof *p);
    if (!p)
        return -1;
    int value = p[3]; //~ latent out-of-bounds
    free(p);
    return value;
}
