// Recursion is followed as loops are: with the arguments of a call, as often as a loop would be gone through.
#include <stdlib.h>

static int walk(int depth, int *p)
{
    if (depth == 0)
        return *p;
    return walk(depth - 1, p);
}

int two_rounds_bad(void)
{
    return walk(2, 0); //~ null-deref cause program when "true"
}

int two_rounds_ok(void)
{
    int m = 1;
    return walk(2, &m);
}

int five_rounds_ok(void)
{
    return walk(5, 0);
}

static int odd(int depth, int *p);

static int even(int depth, int *p)
{
    if (depth == 0)
        return *p;
    return odd(depth - 1, p);
}

static int odd(int depth, int *p)
{
    if (depth == 0)
        return *p + 1;
    return even(depth - 1, p);
}

int two_functions_bad(void)
{
    return even(2, 0); //~ null-deref
}

/* It fails before it comes back, in the thirteenth round. What is behind it is not reached. */
static int falls(int depth, int *p)
{
    if (depth < 0)
        return p[1];
    return falls(depth - 1, 0);
}

int leak_behind_it_ok(int *a)
{
    char *text = malloc(3);
    int sum = falls(12, a);
    text = 0;
    return sum + (text == 0);
}
