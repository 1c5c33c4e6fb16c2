// The same block freed twice.
#include "../stubs.h"

struct pair {
    char *first, *second;
};

void twice_bad(void *p)
{
    free(p);
    free(p); //~ double-free "`p`"
}

void null_twice_ok(void)
{
    void *p = NULL;
    free(p);
    free(p);
}

void cleared_between_ok(void *p)
{
    free(p);
    p = NULL;
    free(p);
}

void own_block_bad(void)
{
    void *p = malloc(8);
    if (!p)
        return;
    free(p);
    free(p); //~ double-free
}

void two_blocks_ok(void)
{
    void *p = malloc(8), *q = malloc(8);
    free(p);
    free(q);
}

void two_names_bad(void)
{
    void *p = malloc(8);
    void *q = p;
    if (!p)
        return;
    free(q);
    free(p); //~ double-free
}

void error_and_cleanup_bad(void)
{
    char *p = malloc(8); //~ step #a1 "the block is allocated"
    if (!p)
        return;
    if (any() < 0) //~ step #a2 "taking the branch where `any() < 0`"
        free(p); //~ step #a3 "the block is freed"
    free(p); //~ double-free #a "`p` is freed a second time" cause program when "true"
}

void error_and_return_ok(void)
{
    char *p = malloc(8);
    if (!p)
        return;
    if (any() < 0) {
        free(p);
        return;
    }
    free(p);
}

void exclusive_conditions_ok(int n)
{
    char *p = malloc(8);
    if (n < 3)
        free(p);
    if (n >= 3)
        free(p);
}

void overlapping_conditions_bad(void)
{
    char *p = malloc(8); //~ step #b1 "the block is allocated"
    if (!p)
        return;
    int n = any();
    if (n <= 3) //~ step #b2 "taking the branch where `any() < 4`"
        free(p); //~ step #b3 "the block is freed"
    if (n >= 3) //~ step #b4 "taking the branch where `any() >= 3`"
        free(p); //~ double-free #b "`p` is freed a second time" cause program when "true"
}

int goto_cleanup_bad(void)
{
    int result = -1;
    char *p = malloc(8), *q = NULL; //~ step #c1 "the block is allocated"
    if (!p)
        goto done;
    q = malloc(8); //~ step #c2 "`malloc` returns null"
    if (!q) {
        free(p); //~ step #c3 "the block is freed"
        goto done;
    }
    result = 0;
done:
    free(q);
    free(p); //~ double-free #c "`p` is freed a second time" cause program when "true"
    return result;
}

int goto_cleanup_ok(void)
{
    int result = -1;
    char *p = malloc(8), *q = NULL;
    if (!p)
        goto done;
    q = malloc(8);
    if (!q)
        goto done;
    result = 0;
done:
    free(q);
    free(p);
    return result;
}

void members_ok(struct pair *pair)
{
    free(pair->first);
    free(pair->second);
    free(pair);
}

void shared_member_bad(void)
{
    struct pair pair;
    pair.first = malloc(8);
    if (!pair.first)
        return;
    pair.second = pair.first;
    free(pair.first);
    free(pair.second); //~ double-free
}

void copied_structure_bad(void)
{
    struct pair pair = {malloc(8), NULL}, copy;
    if (!pair.first)
        return;
    copy = pair;
    free(pair.first);
    free(copy.first); //~ double-free
}

void copied_and_cleared_ok(void)
{
    struct pair pair = {malloc(8), NULL}, copy;
    copy = pair;
    pair.first = NULL;
    free(pair.first);
    free(copy.first);
}

void copied_bytes_bad(void)
{
    void *p = malloc(8), *q;
    if (!p)
        return;
    memcpy(&q, &p, sizeof q);
    free(p);
    free(q); //~ double-free
}

void realloc_frees_bad(void)
{
    char *p = malloc(8);
    if (!p)
        return;
    char *q = realloc(p, 16);
    if (q)
        free(p); //~ double-free
    else
        free(p);
    free(q);
}

void realloc_failed_ok(void)
{
    char *p = malloc(8);
    char *q = realloc(p, 16);
    if (!q)
        free(p);
    free(q);
}

void loop_of_two_bad(void)
{
    char *p = malloc(8); //~ step #d1 "the block is allocated"
    if (!p)
        return;
    for (int i = 0; i < 2; i++)
        free(p); //~ double-free #d "`p` is freed a second time" cause program when "true"
        //~^ step #d2 "the block is freed"
}

void loop_over_table_ok(void)
{
    char *blocks[2] = {malloc(8), malloc(8)};
    for (int i = 0; i < 2; i++)
        free(blocks[i]);
}

void same_slot_twice_bad(void)
{
    char *blocks[2] = {malloc(8), NULL};
    if (!blocks[0])
        return;
    blocks[1] = blocks[0];
    for (int i = 0; i < 2; i++)
        free(blocks[i]); //~ double-free
}

void switch_bad(void)
{
    char *p = malloc(8);
    if (!p)
        return;
    switch (any()) {
    case 1:
        free(p);
        /* fall through */
    default:
        free(p); //~ double-free
    }
}

void low_bits_ok(unsigned n)
{
    char *p = malloc(8);
    if (n & 1)
        free(p);
    if ((n & 1) == 0)
        free(p);
}
