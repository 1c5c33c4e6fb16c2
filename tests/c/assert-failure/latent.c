// Assertions that only some callers violate.
// args: --latent --only assert-failure
#include "../stubs.h"

static int half_latent(int n)
{
    assert(n % 2 == 0); //~ latent assert-failure
    return n / 2;
}

int half_of_four_ok(void) { return half_latent(4); }

int half_of_three_bad(void)
{
    return half_latent(3); //~ assert-failure
}

int half_of_double_ok(int n) { return n > 0 && n < 1000 ? half_latent(2 * n) : 0; }

/* Still latent, and the same defect: the finding in the callee says it. */
int half_of_successor(int n) { return n > 0 && n < 1000 ? half_latent(n + 1) : 0; }

int state;

void in_state_latent(void)
{
    assert(state == 2); //~ latent assert-failure
}

void state_set_ok(void)
{
    state = 2;
    in_state_latent();
}

void state_not_set_bad(void)
{
    state = 1;
    in_state_latent(); //~ assert-failure
}

// Whoever asserts something of what comes from outside checks it.
void own_check_ok(void)
{
    int n = any();
    assert(n > 3);
}
