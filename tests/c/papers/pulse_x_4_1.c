// Le et al., Finding Real Bugs in Big Programs with Incorrectness Logic, §4.1, Example 4.2 (Fig. 6): five summaries of
// `set`, four of them erroneous, of which one fits the state of the caller. The two with freed memory are kept for callers and
// not shown, because every first access has them (§5).
// args: --latent
#include "../stubs.h"

static void set_latent(int **y, int value)
{
    int *z = *y; //~ latent null-deref cause caller when "y == 0" //~ step #a4 "the freed memory is read here"
    *z = value; //~ latent null-deref cause caller when "*y == 0"
}

void null_inside_bad(void)
{
    int **x = malloc(sizeof *x);
    if (x == NULL)
        return;
    *x = NULL;
    set_latent(x, 1); //~ null-deref
}

void fits_normal_summary_ok(void)
{
    int cell = 0, *inside = &cell;
    set_latent(&inside, 1);
    assert(cell == 1);
}

void null_outside_bad(void)
{
    set_latent(NULL, 1); //~ null-deref
}

void freed_outside_bad(void)
{
    int **x = malloc(sizeof *x); //~ step #a1 "the block is allocated"
    if (x == NULL)
        return;
    free(x); //~ step #a2 "the block is freed"
    set_latent(x, 1); //~ use-after-free #a "`x` was freed, and `set_latent` dereferences it" cause program
    //~^ step #a3 "the pointer is passed here"
}

void freed_inside_bad(void)
{
    int *inside = malloc(sizeof *inside);
    if (inside == NULL)
        return;
    free(inside);
    set_latent(&inside, 1); //~ use-after-free
}
