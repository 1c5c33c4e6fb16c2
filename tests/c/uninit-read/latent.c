// Values that are unwritten only for some callers.
// args: --latent --only uninit-read
#include "../stubs.h"

static int sign_latent(int number)
{
    int result;
    if (number > 0) //~ step #a1 "taking the branch where `number <= 0`"
    //~^ step #b2 "taking the branch where `number <= 0`"
        result = 1;
    if (number < 0) //~ step #a2 "taking the branch where `number >= 0`"
    //~^ step #b3 "taking the branch where `number >= 0`"
        result = -1;
    if (result == 1)
    //~^ latent uninit-read #a "`result` is used in a condition" cause program when "number == 0"
    //~^ step #b4 "`result` is used in a condition but was never written"
        return 10;
    return 20;
}

int sign_of_three_ok(void) { return sign_latent(3); }

int sign_of_zero_bad(void)
{
    return sign_latent(0);
    //~^ uninit-read #b "in `sign_latent`: `result` is used in a condition but was never written" cause program
    //~^ step #b1 "this call makes `sign_latent` fail"
}

int sign_of_odd_ok(int n) { return sign_latent(n | 1); }

/* Still latent, and the same defect: the finding in the callee says it. */
int sign_of_even(int n) { return sign_latent(n & ~1); }
