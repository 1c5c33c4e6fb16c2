// Memory used after it was freed, in one function.
#include "../stubs.h"

struct node {
    int value;
    struct node *next;
};

void write_bad(int *p)
{
    free(p);
    *p = 1; //~ use-after-free "`p`"
}

int read_bad(int *p)
{
    free(p);
    return *p; //~ use-after-free
}

int read_before_ok(int *p)
{
    int value = *p;
    free(p);
    return value;
}

void compare_only_ok(int *p, int *q)
{
    int same = p == q;
    free(p);
    if (same)
        report("the same");
}

int own_block_bad(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return -1;
    *p = 3;
    free(p);
    return *p; //~ use-after-free
}

int checked_first_bad(int *p)
{
    if (!p)
        return 0;
    free(p);
    return *p; //~ use-after-free
}

int reassigned_ok(int *p)
{
    int box = 3;
    free(p);
    p = &box;
    return *p;
}

int reallocated_ok(int *p)
{
    free(p);
    p = malloc(sizeof *p);
    if (!p)
        return -1;
    *p = 4;
    int value = *p;
    free(p);
    return value;
}

int set_to_null_and_tested_ok(int *p)
{
    free(p);
    p = NULL;
    return p ? *p : 0;
}

int alias_bad(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return -1;
    int *alias = p;
    *p = 3;
    free(p);
    return *alias; //~ use-after-free
}

int other_block_ok(void)
{
    int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    int value = 0;
    free(p);
    if (q) {
        *q = 3;
        value = *q;
    }
    free(q);
    return value;
}

int interior_pointer_bad(void)
{
    int *p = malloc(4 * sizeof *p);
    if (!p)
        return -1;
    p[2] = 3;
    int *inside = p + 2;
    free(p);
    return *inside; //~ use-after-free
}

int condition_matches_ok(int done)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return -1;
    *p = 3;
    if (done)
        free(p);
    int value = done ? 0 : *p;
    if (!done)
        free(p);
    return value;
}

int condition_differs_bad(void)
{
    int *p = malloc(sizeof *p); //~ step #a1 "the block is allocated"
    if (!p)
        return -1;
    *p = 3;
    int failed = any();
    if (failed < 0) //~ step #a2 "taking the branch where `any() < 0`"
        free(p); //~ step #a3 "the block is freed"
    int value = *p; //~ use-after-free #a "`p` is used after it was freed" cause program when "true"
    if (failed >= 0)
        free(p);
    return value;
}

void list_walk_bad(struct node *node)
{
    struct node *first = node;
    free(first);
    node = node->next; //~ use-after-free
    free(node);
}

void list_walk_ok(struct node *node)
{
    while (node) {
        struct node *next = node->next;
        free(node);
        node = next;
    }
}

void list_of_two_bad(void)
{
    struct node *last = calloc(1, sizeof *last);
    if (!last)
        return;
    struct node *first = calloc(1, sizeof *first);
    if (!first) {
        free(last);
        return;
    }
    first->next = last;
    for (struct node *node = first; node; node = node->next) //~ use-after-free
        free(node);
}

int error_path_bad(void)
{
    struct node *node = malloc(sizeof *node); //~ step #b1 "the block is allocated"
    if (!node)
        return -1;
    node->value = any();
    if (node->value < 0) { //~ step #b2 "taking the branch where `any() < 0`"
        free(node); //~ step #b3 "the block is freed"
        printf("bad value %d\n", node->value);
        //~^ use-after-free #b "`node` is used after it was freed" cause program when "true"
        return -1;
    }
    free(node);
    return 0;
}

int error_path_ok(void)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return -1;
    node->value = any();
    if (node->value < 0) {
        printf("bad value %d\n", node->value);
        free(node);
        return -1;
    }
    free(node);
    return 0;
}

void memcpy_from_freed_bad(int *to)
{
    int *p = calloc(2, sizeof *p);
    if (!p)
        return;
    free(p);
    memcpy(to, p, 2 * sizeof *p); //~ use-after-free
}

void address_of_freed_is_copied_ok(int **out, int *p)
{
    free(p);
    *out = p;
}

int loop_frees_bad(void)
{
    int *p = calloc(1, sizeof *p);
    if (!p)
        return -1;
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        sum += *p; //~ use-after-free
        if (i == 0)
            free(p);
    }
    return sum;
}

int loop_frees_last_ok(void)
{
    int *p = calloc(1, sizeof *p);
    if (!p)
        return -1;
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        sum += *p;
        if (i == 1)
            free(p);
    }
    return sum;
}
