// Invalid frees that need a caller.
// args: --latent --only invalid-free
#include "../stubs.h"

static void release_latent(char *p, int offset)
{
    if (p && offset == 2) { //~ step #a1 "taking the branch where `p` is not null"
    //~^ step #a2 "taking the branch where `offset == 2`"
        char *q = malloc(8); //~ step #a3 "the block is allocated"
        if (q)
            free(q + offset);
            //~^ latent invalid-free #a "points into the middle of a heap block" cause program when "p != 0 && offset == 2"
    }
}

void literal_or_copy_latent(int copy)
{
    char *text = copy ? strdup("text") : "text"; //~ step #b1 "taking the branch where `copy == 0`"
    //~^ step #c2 "taking the branch where `copy == 0`"
    free(text);
    //~^ latent invalid-free #b "points to a string literal" cause program when "copy == 0"
    //~^ step #c3 "`text` is freed, but points to a string literal"
}

void literal_bad(void)
{
    literal_or_copy_latent(0);
    //~^ invalid-free #c "in `literal_or_copy_latent`: `text` is freed" cause program when "true"
    //~^ step #c1 "this call makes `literal_or_copy_latent` fail"
}

void copy_ok(void) { literal_or_copy_latent(any() > 0 ? 1 : 2); }

void no_pointer_ok(void) { release_latent(NULL, 2); }

void other_offset_ok(char *p) { release_latent(p, 0); }
