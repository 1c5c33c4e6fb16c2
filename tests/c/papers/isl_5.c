// Raad et al., Local Reasoning about the Presence of Bugs: Incorrectness Separation Logic, §5: symbolic execution that
// begins anywhere, abduces memory for successful executions only, and reports what the present state forces.
#include "../stubs.h"

/* An error is not abduced: no caller is blamed for what it might pass. */
int abduced_cell_ok(int **v) { return **v; }

/* The first access abduces the cell, the second finds it freed. */
int abduced_then_freed_bad(int **v)
{
    int value = **v;
    free(*v);
    return value + **v; //~ use-after-free
}

/* A result of skipped code is optimistic until the program looks at it. */
int fresh_value_ok(void)
{
    int *p = any_pointer();
    return *p;
}

int fresh_value_forced_bad(void)
{
    int *p = any_pointer();
    if (p)
        return *p;
    return *p + 1; //~ null-deref
}

/* One specification per path, and only the path with the error is reported. */
int one_path_of_two_bad(int *p)
{
    int early = any();
    if (early)
        free(p);
    int value = *p; //~ use-after-free
    if (!early)
        free(p);
    return value;
}

/* Loops are unrolled: no invariant is needed to prove an error in the second round. */
void second_round_bad(int *p)
{
    for (int i = 0; i < 2; i++)
        free(p); //~ double-free
}

/* Locations are distinct unless the program says otherwise. */
int distinct_parameters_ok(int *p, int *q)
{
    free(p);
    return *q;
}

int equal_parameters_ok(int *p, int *q)
{
    if (p != q)
        return 0;
    free(p);
    return 1;
}

static int free_first_read_second(int *p, int *q)
{
    free(p);
    return *q;
}

int equal_arguments_bad(int *p)
{
    return free_first_read_second(p, p); //~ use-after-free
}
