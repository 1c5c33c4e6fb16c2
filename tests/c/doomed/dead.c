// args: --only dead-code
// Code that no execution reaches.
#include "../stubs.h"

int never_both_bad(unsigned value)
{
    if (value > 100 && value < 10)
        return 100; //~ doomed dead-code
    return (int)value;
}

int sometimes_ok(unsigned value)
{
    if (value > 10 && value < 100)
        return 100;
    return (int)value;
}

int tested_before_bad(const int *p)
{
    if (!p) //~ step #a1 "taking the branch where `p` is not null"
        return 0;
    if (p) //~ step #a2 "taking the branch where `p` is null"
        return *p;
    return 3;
    //~^ doomed dead-code #a "no execution gets here: the conditions on the way contradict one another" cause program
}

int switched_off_ok(int k)
{
    if (0)
        return 3;
    if (sizeof(long) == 4)
        return 4;
    return k;
}

// It is reached, and fails.
int doomed_is_not_dead_ok(const int *p)
{
    if (!p)
        return *p;
    return 0;
}

int default_is_a_precaution_ok(unsigned k)
{
    switch (k & 1) {
    case 0:
        return 1;
    case 1:
        return 2;
    default:
        return 3;
    }
}

int abort_is_a_precaution_ok(unsigned k)
{
    if (k > 3) {
        if (k < 2)
            abort();
    }
    return 0;
}

int unsigned_below_zero_bad(unsigned k)
{
    if (k < 0)
        return 1; //~ doomed dead-code
    return 0;
}
