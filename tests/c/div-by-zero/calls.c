// Divisors from callers, callees, structures and tables.
#include "../stubs.h"

struct statistics {
    int sum, count;
};

static int divide(int n, int d) { return n / d; } //~ step #a2 "division by `d`, which is zero"
//~^ step #d3 "division by `d`, which is zero"
static int divide_checked(int n, int d) { return d ? n / d : 0; }
static int zero(void) { return 0; }
static int count_of(int flag) { return flag ? 3 : 0; }
static int mean(const struct statistics *statistics) { return statistics->sum / statistics->count; }
//~^ step #c2 "division by `statistics->count`, which is zero"
static void add(struct statistics *statistics, int n) { statistics->sum += n; statistics->count++; }

int passed_bad(void)
{
    return divide(3, 0); //~ div-by-zero #a "in `divide`: division by `d`, which is zero" cause program
    //~^ step #a1 "this call makes `divide` fail"
}

int passed_ok(void) { return divide(3, 1); }

int passed_to_check_ok(void) { return divide_checked(3, 0); }

int returned_bad(void)
{
    return 3 / zero(); //~ div-by-zero
}

int returned_ok(void) { return 3 / count_of(1); }

int returned_for_some_bad(void)
{
    return 3 / count_of(any()); //~ div-by-zero #b "division by `count_of()`, which is zero" cause unknown
    //~^ step #b1 "taking the branch where `any() == 0`"
}

int mean_of_none_bad(void)
{
    struct statistics statistics = {0, 0};
    return mean(&statistics);
    //~^ div-by-zero #c "in `mean`: division by `statistics->count`, which is zero" cause program when "true"
    //~^ step #c1 "this call makes `mean` fail"
}

int mean_of_one_ok(void)
{
    struct statistics statistics = {0, 0};
    add(&statistics, 3);
    return mean(&statistics);
}

int mean_of_some_bad(void)
{
    struct statistics statistics = {0, 0};
    if (any())
        add(&statistics, 3);
    return mean(&statistics); //~ div-by-zero
}

static const int divisors[] = {1, 2, 0};

int table_bad(void)
{
    return 6 / divisors[2]; //~ div-by-zero
}

int table_ok(void) { return 6 / divisors[1]; }

static int apply(int (*how)(int, int), int d) { return how(6, d); }
//~^ step #d2 "this call makes `divide` fail"

int function_bad(void)
{
    return apply(divide, 0); //~ div-by-zero #d "in `divide`: division by `d`, which is zero" cause program
    //~^ step #d1 "this call makes `apply` fail"
}

int function_ok(void) { return apply(divide_checked, 0); }

static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }

int recursion_ok(void) { return gcd(6, 4); }

static int tenth_of(int n) { return 10 / n; }

// What unknown code returns is not suspected of being zero, in a callee neither.
int unknown_divisor_ok(void) { return tenth_of(any()); }
