// Indices that only a caller knows.
// args: --latent --only out-of-bounds
#include "../stubs.h"

static int pick_latent(int i)
{
    static const int table[4] = {1, 2, 3, 4};
    return table[i]; //~ latent out-of-bounds
    //~^ step #a2 "4 bytes are read at offset `4 * (int64_t)i` of global `table`, which has 16 bytes"
}

int pick_third_ok(void) { return pick_latent(3); }

int pick_fifth_bad(void)
{
    return pick_latent(5);
    //~^ out-of-bounds #a "in `pick_latent`: 4 bytes are read at offset `4 * (int64_t)i`" cause program
    //~^ step #a1 "this call makes `pick_latent` fail"
}

int pick_checked_ok(int i) { return i >= 0 && i < 4 ? pick_latent(i) : 0; }

/* Still latent, and the same defect: the finding in the callee says it. */
int pick_half_checked(int i) { return i < 4 ? pick_latent(i) : 0; }

int pick_masked_ok(int i) { return pick_latent(i & 3); }

int pick_bit_ok(int i) { return pick_latent(i != 0); }

int grow_latent(unsigned n)
{
    int *p = calloc(n, sizeof *p); //~ step #b1 "the block is allocated"
    if (!p)
        return -1;
    int value = p[3];
    //~^ latent out-of-bounds #b "which has `4 * (uint64_t)n` bytes" cause caller when "4 * (uint64_t)n - 4 < 12u || 4 * (uint64_t)n < 4u"
    free(p);
    return value;
}
