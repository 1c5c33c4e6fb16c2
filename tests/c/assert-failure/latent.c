// Assertions that only some callers violate.
// args: --latent --only assert-failure
#include "../stubs.h"

static int half_latent(int n)
{
    assert(n % 2 == 0); //~ latent assert-failure #a "an assertion fails" cause caller when "n % 2 != 0"
    //~^ step #a1 "taking the branch where `n % 2 != 0`"
    //~^ step #b2 "taking the branch where `n % 2 != 0`"
    //~^ step #b3 "an assertion fails"
    return n / 2;
}

int half_of_four_ok(void) { return half_latent(4); }

int half_of_three_bad(void)
{
    return half_latent(3); //~ assert-failure #b "in `half_latent`: an assertion fails" cause program
    //~^ step #b1 "this call makes `half_latent` fail"
}

int half_of_double_ok(int n) { return n > 0 && n < 1000 ? half_latent(2 * n) : 0; }

/* Still latent, and the same defect: the finding in the callee says it. */
int half_of_successor(int n) { return n > 0 && n < 1000 ? half_latent(n + 1) : 0; }

int state;

void in_state_latent(void)
{
    assert(state == 2); //~ latent assert-failure #c "an assertion fails" cause caller when "state != 2"
    //~^ step #c1 "taking the branch where `state != 2`"
    //~^ step #d2 "taking the branch where `state != 2`"
    //~^ step #d3 "an assertion fails"
}

void state_set_ok(void)
{
    state = 2;
    in_state_latent();
}

void state_not_set_bad(void)
{
    state = 1;
    in_state_latent(); //~ assert-failure #d "in `in_state_latent`: an assertion fails" cause program
    //~^ step #d1 "this call makes `in_state_latent` fail"
}

// Whoever asserts something of what comes from outside checks it.
void own_check_ok(void)
{
    int n = any();
    assert(n > 3);
}
