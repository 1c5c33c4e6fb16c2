// Loops: pointers that run off the end of a list, and what happens after the loop.
#include "../stubs.h"

struct node {
    int value;
    struct node *next;
};

int two_nodes_bad(void)
{
    struct node last = {2, NULL}, first = {1, &last};
    struct node *node = &first;
    while (node->value != 7) //~ null-deref
        node = node->next;
    return node->value;
}

int two_nodes_ok(void)
{
    struct node last = {2, NULL}, first = {1, &last};
    int sum = 0;
    for (struct node *node = &first; node; node = node->next)
        sum += node->value;
    return sum;
}

int after_list_walk_bad(void)
{
    struct node only = {2, NULL};
    struct node *node = &only;
    while (node)
        node = node->next;
    return node->value; //~ null-deref
}

int found_in_list_ok(struct node *node, int key)
{
    while (node && node->value != key)
        node = node->next;
    return node ? node->value : 0;
}

int after_long_loop_bad(void)
{
    int sum = 0;
    int *p = NULL;
    for (int i = 0; i < 1000; i++)
        sum += i;
    return sum + *p; //~ null-deref
}

int after_unknown_loop_bad(void)
{
    int *p = NULL;
    while (any())
        report("again");
    return *p; //~ null-deref
}

int second_round_bad(void)
{
    int box = 3, sum = 0;
    int *p = &box;
    for (int i = 0; i < 2; i++) {
        sum += *p; //~ null-deref
        p = NULL;
    }
    return sum;
}

int one_round_ok(void)
{
    int box = 3, sum = 0;
    int *p = &box;
    for (int i = 0; i < 1; i++) {
        sum += *p;
        p = NULL;
    }
    return sum;
}

int set_in_first_round_ok(void)
{
    int box = 3, sum = 0;
    int *p = NULL;
    for (int i = 0; i < 3; i++) {
        if (i == 0)
            p = &box;
        sum += *p;
    }
    return sum;
}

int never_ends_ok(void)
{
    int *p = NULL;
    for (;;)
        report("forever");
    return *p;
}

int breaks_out_bad(void)
{
    int *p = NULL;
    for (;;) {
        if (any() > 2) //~ step #a1 "taking the branch where `any() >= 3`"
            break;
    }
    return *p; //~ null-deref #a "`p` is null and is dereferenced" cause program when "true"
}

// Nothing is decided in these rounds: there is one way only, and it is followed.
int in_tenth_round_bad(void)
{
    int box = 3, sum = 0;
    int *p = &box;
    for (int i = 0; i < 12; i++) {
        sum += *p; //~ null-deref
        if (i == 9)
            p = NULL;
    }
    return sum;
}

int FN_in_tenth_unknown_round_bad(void)
{
    int box = 3, sum = 0, i = 0;
    int *p = &box;
    while (any()) {
        sum += *p; // FN: loops are unrolled three times, docs/limits.md#analysis
        if (i++ == 9)
            p = NULL;
    }
    return sum;
}

/* Rounds that are not followed are taken for some rounds: it happens for every n. */
int after_loop_over_parameter_bad(int n)
{
    int sum = 0;
    int *p = NULL;
    for (int i = 0; i < n; i++)
        sum += any();
    return sum + *p; //~ null-deref
}

int do_while_bad(void)
{
    int *p = NULL;
    do
        report("once");
    while (any());
    return *p; //~ null-deref
}
