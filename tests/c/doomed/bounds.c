// args: --only doomed
// Objects whose size is known, and divisions.
#include "../stubs.h"

int one_behind_bad(int k)
{
    int table[4] = {1, 2, 3, 4};
    if (k == 4) //~ step #a1 "taking the branch where `k == 4`"
        return table[k];
        //~^ doomed out-of-bounds #a "the access is outside of `table`; no execution gets past this line" cause program
    return 0;
}

int last_one_ok(int k)
{
    int table[4] = {1, 2, 3, 4};
    if (k == 3)
        return table[k];
    return 0;
}

static int squares[10];

int behind_the_loop_bad(void)
{
    int i;
    for (i = 0; i < 10; i++)
        squares[i] = i * i;
    return squares[i]; //~ doomed out-of-bounds "outside of `squares`"
}

int in_the_loop_ok(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += squares[i];
    return sum;
}

int below_bad(int k)
{
    if (k < 0)
        return squares[k]; //~ doomed out-of-bounds "outside of `squares`"
    return 0;
}

int unknown_array_ok(int *array, int k)
{
    if (k > 1000000)
        return array[k];
    return 0;
}

// It may well point into the middle.
int before_the_cursor_ok(const int *cursor)
{
    return cursor[-1];
}

int backwards_from_the_end_ok(const int *end, int n)
{
    int sum = 0;
    for (int i = -n; i < 0; i++)
        sum += end[i];
    return sum;
}

char *small_block_bad(void)
{
    char *block = malloc(8);
    if (block)
        block[8] = 0; //~ doomed out-of-bounds "outside of `block`"
    return block;
}

char *block_of_unknown_size_ok(size_t n)
{
    char *block = malloc(n);
    if (block)
        block[8] = 0;
    return block;
}

char *block_of_known_size_bad(size_t n)
{
    char *block = malloc(n);
    if (block && n < 4)
        block[n] = 0; //~ doomed out-of-bounds "outside of `block`"
    return block;
}

int divide_bad(int a, int b)
{
    if (b == 0) //~ step #b1 "taking the branch where `b == 0`"
        return a / b;
        //~^ doomed div-by-zero #b "division by `b`, which is zero; no execution gets past this line" cause program
    return a;
}

int divide_ok(int a, int b)
{
    if (b != 0)
        return a / b;
    return a;
}

int average_bad(const int *values, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    if (n > 0)
        return sum;
    n = 0;
    return sum / n; //~ doomed div-by-zero "division by `n`"
}

int average_ok(const int *values, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    return sum / n;
}

unsigned remainder_bad(unsigned a, unsigned b)
{
    unsigned mask = b & 3;
    if (mask == 0 && a > 7)
        return a % mask; //~ doomed div-by-zero "division by `mask`"
    return 0;
}

void whole_struct_bad(int k)
{
    char small[4];
    char large[16] = {0};
    if (k)
        memcpy(small, large, sizeof large); //~ doomed out-of-bounds "outside of `small`"
    use(small);
}

void whole_struct_ok(int k)
{
    char small[16];
    char large[16] = {0};
    if (k)
        memcpy(small, large, sizeof large);
    use(small);
}

// The sum overflows: C does not say what happens then, so that nothing is said of what comes behind it.
int rests_on_overflow_ok(void)
{
    int big = 2147483647, one = 1;
    int *p = big + one < 0 ? NULL : &big;
    return *p;
}

int rests_on_overflow_of_argument_ok(int n)
{
    int *p = NULL;
    if (n > 0 && n + 2147483647 < 0)
        return *p;
    return 0;
}

int does_not_overflow_bad(int n)
{
    int *p = NULL;
    if (n > 0 && n - 2147483647 < 0)
        return *p; //~ doomed null-deref "`p` is null"
    return 0;
}
