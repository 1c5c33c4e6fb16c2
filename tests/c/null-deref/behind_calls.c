// args: --latent --only null-deref,memory-leak,double-free
// Behind calls that are followed in part: what no path of the callee covers is still reached.
#include "../stubs.h"

static int ready;
static int *numbers;

// What this does depends on values that are not followed; nobody who calls it cares.
static void note(const char *text)
{
    unsigned hash = 0;
    for (unsigned i = 0; text[i]; i++) //~ latent null-deref
        hash = hash * 33 ^ (unsigned char)text[i] * 7;
    if (hash & 1)
        ready = 1;
    else if (hash & 2)
        numbers = NULL;
    else
        ready = (int)hash;
}

int after_a_report_bad(void)
{
    int *p = malloc(sizeof *p); //~ step #a1 "`malloc` returns null"
    if (!p)
        note("no memory");
    *p = 1; //~ null-deref #a "`p` is null and is dereferenced" cause environment when "true"
    free(p);
    return 0;
}

static int *make_number(void)
{
    int *p = malloc(sizeof *p);
    if (!p) {
        note("no memory");
        return NULL;
    }
    *p = 0;
    return p;
}

int null_of_a_careful_function_bad(void)
{
    int *p = make_number(); //~ step #b1 "`make_number` returns null"
    *p = 1; //~ null-deref #b "`p` is null and is dereferenced" cause program when "true"
    free(p);
    return 0;
}

int lost_behind_a_report_bad(void)
{
    int *p = make_number(); //~ memory-leak
    if (!p)
        return 0;
    int *q = malloc(sizeof *q);
    if (!q) {
        note("no memory");
        return -1;
    }
    free(q);
    free(p);
    return 0;
}

// What the callee wrote is not followed, and its own business.
static void fill_from(int **to, const char *text)
{
    unsigned hash = 0;
    for (unsigned i = 0; text[i]; i++) //~ latent null-deref
        hash = hash * 33 ^ (unsigned char)text[i] * 7;
    *to = hash == 77 ? NULL : numbers; //~ latent null-deref
}

int filled_ok(void)
{
    int *p;
    fill_from(&p, "some words to compute with, more than the loop is followed for");
    return *p;
}
