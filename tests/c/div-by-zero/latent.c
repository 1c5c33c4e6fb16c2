// Divisors that only a caller knows.
// args: --latent --only div-by-zero
#include "../stubs.h"

static int scale;

static int share_latent(int n)
{
    return 100 / n; //~ latent div-by-zero cause caller when "n == 0"
    //~^ step #a2 "division by `n`, which is zero"
}

int share_of_none_bad(void)
{
    return share_latent(0);
    //~^ div-by-zero #a "in `share_latent`: division by `n`, which is zero" cause program when "true"
    //~^ step #a1 "this call makes `share_latent` fail"
}

int share_of_two_ok(void) { return share_latent(2); }

/* Still latent, and the same defect: the finding in the callee says it. */
int share_of_difference(int a, int b) { return share_latent(a ^ b); }

int share_checked_ok(int n) { return n > 0 ? share_latent(n) : 0; }

int global_latent(void)
{
    return 100 / scale; //~ latent div-by-zero cause caller when "scale == 0"
    //~^ step #b2 "division by `scale`, which is zero"
}

int global_set_ok(void)
{
    scale = 4;
    return global_latent();
}

int global_cleared_bad(void)
{
    scale = 0;
    return global_latent();
    //~^ div-by-zero #b "in `global_latent`: division by `scale`, which is zero" cause program when "true"
    //~^ step #b1 "this call makes `global_latent` fail"
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 4) //~ step #c1 "taking the branch where `argc >= 5`"
        return 100 / (argc - 7);
        //~^ latent div-by-zero #c "division by `argc - 7`, which is zero" cause environment when "argc == 7"
    return share_latent(argc + 8);
}
