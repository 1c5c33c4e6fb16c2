// args: --only null-deref --latent
// What fails behind a branch that nobody wrote is not doomed: it is a question to the callers.
#include "../stubs.h"

struct item { int price; struct item *next; int *count; };

struct stream {
    char *next;
    int left;
};

struct level {
    struct level *above;
    int depth;
};

int m;

// The `else` is not there.
int no_else_latent(int x)
{
    int *p = 0;
    if (x == 2)
        p = &m;
    return *p; //~ latent null-deref
}

// Neither is the `default`.
int no_default_latent(int x)
{
    int *p = 0;
    switch (x) {
    case 1:
        p = &m;
        break;
    }
    return *p; //~ latent null-deref
}

// Nor are zero rounds.
int zero_rounds_latent(int n)
{
    int *p = 0;
    for (int i = 0; i < n; i++)
        p = &m;
    return *p; //~ latent null-deref
}

// Nor is one operand of `&&`.
int operand_latent(int x, int y)
{
    int *p = 0;
    if (x && y)
        p = &m;
    return *p; //~ latent null-deref
}

// Here the loop does not look for anything.
int not_a_search_latent(struct level *level, int n)
{
    int i, sum = 0;
    for (i = 0; level && i < n; i++)
        sum += i;
    level->depth = sum; //~ latent null-deref
    return sum;
}

// Either may be missing, but what if both are?
int compare_latent(const struct stream *a, const struct stream *b)
{
    if (a == NULL && b != NULL)
        return -1;
    if (a != NULL && b == NULL)
        return 1;
    return a->left - b->left; //~ latent null-deref
}

// Tested, and then used anyway.
int tested_then_used_latent(struct item *item, int *out)
{
    if (item && item->price > 3)
        *out = 1; //~ latent null-deref
    return item->price; //~ latent null-deref
}
