// Divisors that are zero.
#include "../stubs.h"

struct size {
    unsigned width : 4, height : 4;
};

int constant_bad(int n)
{
    int zero = 0;
    return n / zero; //~ div-by-zero
}

int remainder_bad(int n)
{
    int zero = 0;
    return n % zero; //~ div-by-zero
}

unsigned unsigned_bad(unsigned n)
{
    unsigned one = 1;
    return n / (one - 1); //~ div-by-zero
}

int unknown_ok(int n) { return n / any(); }

int unknown_tested_bad(int n)
{
    int divisor = any();
    if (divisor == 0) //~ step #a1 "taking the branch where `any() == 0`"
        report("zero");
    return n / divisor; //~ div-by-zero #a "division by `divisor`, which is zero" cause unknown when "true"
}

int unknown_checked_ok(int n)
{
    int divisor = any();
    if (divisor == 0)
        return 0;
    return n / divisor;
}

int positive_ok(int n)
{
    int divisor = any();
    return divisor > 0 ? n / divisor : 0;
}

int not_positive_bad(void)
{
    int divisor = any();
    if (divisor > 0) //~ step #b1 "taking the branch where `any() <= 0`"
        return 100 / divisor;
    if (divisor > -1) //~ step #b2 "taking the branch where `any() >= 0`"
        return 100 / divisor; //~ div-by-zero #b "division by `divisor`, which is zero" cause unknown
    return 0;
}

unsigned masked_bad(unsigned n)
{
    unsigned divisor = any_unsigned() & 12;
    if (divisor < 4)
        return n / divisor; //~ div-by-zero
    return 0;
}

unsigned masked_ok(unsigned n) { return n / (any_unsigned() | 1); }

unsigned wrapping_bad(void)
{
    unsigned n = any_unsigned();
    if (n == 0xffffffff)
        return 10 / (n + 1); //~ div-by-zero
    return 0;
}

unsigned odd_ok(unsigned n) { return 10 / (2 * n + 1); }

int count_stays_zero_bad(void)
{
    int count = 0, sum = 0;
    while (any() > 0) {
        sum += 3;
        count++;
    }
    return sum / count; //~ div-by-zero
}

int count_starts_at_one_ok(void)
{
    int count = 0, sum = 0;
    do {
        sum += 3;
        count++;
    } while (count < 3 && any() > 0);
    return sum / count;
}

int countdown_bad(void)
{
    int sum = 0;
    for (int i = 2; i >= 0; i--)
        sum += 100 / i; //~ div-by-zero
    return sum;
}

int countdown_ok(void)
{
    int sum = 0;
    for (int i = 3; i > 0; i--)
        sum += 100 / i;
    return sum;
}

int bit_field_bad(void)
{
    struct size size = {3, 0};
    size.width = 4;
    return 100 / size.height; //~ div-by-zero
}

int bit_field_ok(void)
{
    struct size size = {3, 1};
    size.width = 0;
    return 100 / size.height;
}

int truncated_bad(void)
{
    unsigned char small = (unsigned char)256;
    return 100 / small; //~ div-by-zero
}

double floating_ok(double n)
{
    double zero = 0.0;
    return n / zero;
}

int short_circuit_ok(int n)
{
    int divisor = any();
    return divisor && n / divisor > 2;
}

int difference_bad(void)
{
    int begin = any(), end = any();
    if (begin != end) //~ step #c1 "taking the branch where `any() == any()`"
        return 0;
    return 100 / (end - begin); //~ div-by-zero #c "division by `end - begin`, which is zero" cause unknown
}

int difference_ok(int begin, int end)
{
    if (begin >= end || end > 1000 || begin < 0)
        return 0;
    return 100 / (end - begin);
}

int compound_bad(void)
{
    int value = 100, zero = 3 - 3;
    value /= zero; //~ div-by-zero
    return value;
}

int without_memory_bad(void)
{
    int columns = 0;
    char *line = malloc(80);
    if (line)
        columns = 80;
    free(line);
    return 1000 / columns; //~ div-by-zero
}

int with_memory_ok(void)
{
    int columns = 0;
    char *line = malloc(80);
    if (!line)
        return 0;
    columns = 80;
    free(line);
    return 1000 / columns;
}

// Only zero fits, but that takes a look at the bits.
int only_zero_fits_bad(void)
{
    unsigned d = any_unsigned();
    if (d < 100 && d * d == 0)
        return 10 / d; //~ div-by-zero
    return 0;
}
