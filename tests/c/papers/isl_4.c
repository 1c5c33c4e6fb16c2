// Raad et al., Local Reasoning about the Presence of Bugs: Incorrectness Separation Logic, §4.1 (the footprint example with
// its two errors, each of which touches only part of the heap) and §4.2 (the frame rule).
#include "../stubs.h"

void footprint_bad(int *x, int *y)
{
    free(y); //~ step #a1 "the block is freed"
    if (any()) //~ step #a2 "taking the branch where `any() != 0`"
        free(y); //~ double-free #a "`y` is freed a second time" cause program when "valid(y)"
    else
        free(x);
    if (any())
        free(x); //~ double-free
}

void first_error_only_bad(int *x, int *y)
{
    free(y);
    if (any())
        free(y); //~ double-free
    else
        free(x);
}

void success_ok(int *x, int *y)
{
    free(y);
    free(x);
}

/* The third cell of the heap of §4.1 is not touched, so it stays as it is. */
int untouched_ok(int *x, int *y, int *z)
{
    *z = 3;
    free(y);
    free(x);
    assert(*z == 3);
    return *z;
}

/* Framing on a cell that the command writes would be wrong. */
void written_cell_bad(void)
{
    int x = 17;
    int *p = &x;
    *p = 23;
    assert(x == 17); //~ assert-failure
}

void framed_cell_ok(void)
{
    int x = 17, y = 17;
    int *p = &y;
    *p = 23;
    assert(x == 17);
}

/* A freed location is no longer the location of an allocated cell. */
int negative_heap_ok(void)
{
    int *x = malloc(sizeof *x);
    free(x);
    int *y = malloc(sizeof *y);
    if (!y)
        return -1;
    *y = 3;
    int value = *y;
    free(y);
    return value;
}
