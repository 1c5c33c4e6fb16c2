// Divisors that only a caller knows.
// args: --latent --only div-by-zero
#include "../stubs.h"

static int scale;

static int share_latent(int n)
{
    return 100 / n; //~ latent div-by-zero
}

int share_of_none_bad(void)
{
    return share_latent(0); //~ div-by-zero
}

int share_of_two_ok(void) { return share_latent(2); }

/* Still latent, and the same defect: the finding in the callee says it. */
int share_of_difference(int a, int b) { return share_latent(a ^ b); }

int share_checked_ok(int n) { return n > 0 ? share_latent(n) : 0; }

int global_latent(void)
{
    return 100 / scale; //~ latent div-by-zero
}

int global_set_ok(void)
{
    scale = 4;
    return global_latent();
}

int global_cleared_bad(void)
{
    scale = 0;
    return global_latent(); //~ div-by-zero
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 4)
        return 100 / (argc - 7); //~ div-by-zero
    return share_latent(argc + 8);
}
