// Le et al., Finding Real Bugs in Big Programs with Incorrectness Logic, §3.1 (Fig. 3): each predefined instruction with
// its normal and its erroneous summary. Departure: C allows `free(NULL)`.
#include "../stubs.h"

int load_ok(void)
{
    int cell = 3;
    int *x = &cell;
    return *x;
}

int load_of_invalid_bad(int *x)
{
    free(x);
    return *x; //~ use-after-free
}

int load_of_null_bad(void)
{
    int *x = NULL;
    return *x; //~ null-deref
}

void store_ok(int *x) { *x = 4; }

void store_to_invalid_bad(int *x)
{
    free(x);
    *x = 4; //~ use-after-free
}

void store_to_null_bad(void)
{
    int *x = NULL;
    *x = 4; //~ null-deref
}

void free_ok(int *x) { free(x); }

void free_of_invalid_bad(int *x)
{
    free(x);
    free(x); //~ double-free
}

void free_of_null_ok(void)
{
    int *x = NULL;
    free(x);
}

int *malloc_ok(void) { return malloc(sizeof(int)); }

int malloc_of_null_bad(void)
{
    int *x = malloc_ok();
    *x = 1; //~ null-deref
    free(x);
    return 0;
}

/* A function that fails at once must not be called: its callers are to blame. */
void fails_at_once_ok(void)
{
    assert(0);
}

void call_of_error_bad(void)
{
    fails_at_once_ok(); //~ assert-failure
}

void assume_ok(int x)
{
    if (x != 3)
        return;
    assert(x == 3);
}

int sequence_stops_at_error_bad(void)
{
    int *x = NULL;
    int value = *x; //~ null-deref
    int *y = NULL;
    return value + *y;
}

int choice_bad(void)
{
    int cell = 3;
    int *x = any() ? &cell : NULL;
    return *x; //~ null-deref
}

int iteration_bad(void)
{
    int cell = 3;
    int *x = &cell;
    while (any()) {
        *x = 1; //~ null-deref
        x = NULL;
    }
    return cell;
}
