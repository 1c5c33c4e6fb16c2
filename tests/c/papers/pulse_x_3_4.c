// Le et al., Finding Real Bugs in Big Programs with Incorrectness Logic, §3.4: leaks are allocated locations that are not
// reachable from the roots when the procedure ends; reachability takes pure facts into account.
#include "../stubs.h"

struct cell {
    struct cell *next;
};

static struct cell *root;

void dropped_bad(void)
{
    struct cell *cell = malloc(sizeof *cell); //~ memory-leak
    if (cell)
        cell->next = NULL;
}

void reachable_from_global_ok(void)
{
    struct cell *cell = malloc(sizeof *cell);
    if (!cell)
        return;
    cell->next = root;
    root = cell;
}

void reachable_in_two_steps_ok(void)
{
    struct cell *first = malloc(sizeof *first);
    if (!first)
        return;
    first->next = malloc(sizeof *first);
    root = first;
}

void cut_off_bad(void)
{
    struct cell *first = malloc(sizeof *first);
    if (!first)
        return;
    first->next = malloc(sizeof *first); //~ memory-leak
    root = first;
    first->next = NULL;
}

void points_to_root_only_bad(void)
{
    struct cell *cell = malloc(sizeof *cell); //~ memory-leak
    if (cell)
        cell->next = root;
}

void equal_to_reachable_ok(struct cell *other)
{
    struct cell *cell = malloc(sizeof *cell);
    root = cell;
    if (cell != root)
        other->next = cell;
}

void freed_is_not_leaked_ok(void)
{
    struct cell *cell = malloc(sizeof *cell);
    free(cell);
}

struct cell *result_is_root_ok(void) { return malloc(sizeof(struct cell)); }

void result_dropped_bad(void)
{
    result_is_root_ok(); //~ memory-leak
}
