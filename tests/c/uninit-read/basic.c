// Values that were never written, and on which something depends.
#include "../stubs.h"

struct pair {
    int first, second;
};

int branch_bad(void)
{
    int x;
    if (x > 0) //~ uninit-read "`x`"
        return 1;
    return 0;
}

int written_ok(void)
{
    int x = any();
    return x > 0;
}

int one_branch_forgets_bad(void)
{
    int x;
    if (any()) //~ step #a1 "taking the branch where `any() == 0`"
        x = 1;
    if (x) //~ uninit-read #a "`x` is used in a condition but was never written" cause program when "true"
        return 1;
    return 0;
}

int both_branches_ok(int flag)
{
    int x;
    if (flag)
        x = 1;
    else
        x = 2;
    if (x == 1)
        return 3;
    return 4;
}

int correlated_ok(int flag)
{
    int x;
    if (flag > 3)
        x = 1;
    if (flag > 4 && x)
        return 5;
    return 0;
}

int short_circuit_ok(int flag)
{
    int x;
    int known = flag && (x = any(), 1);
    return known && x > 0;
}

int array_index_bad(void)
{
    int values[4] = {1, 2, 3, 4};
    unsigned i;
    return values[i & 3]; //~ uninit-read
}

int pointer_bad(void)
{
    int *p;
    return *p; //~ uninit-read
}

int array_element_bad(void)
{
    int values[4];
    values[0] = 1;
    if (values[1]) //~ uninit-read
        return 1;
    return 0;
}

int array_element_ok(void)
{
    int values[4];
    values[1] = 1;
    if (values[1])
        return 1;
    return 0;
}

int member_bad(void)
{
    struct pair pair;
    pair.first = 1;
    if (pair.second) //~ uninit-read
        return 1;
    return 0;
}

int other_members_are_zero_ok(void)
{
    struct pair pair = {.first = 1};
    if (pair.second)
        return 1;
    return 0;
}

int copied_structure_bad(void)
{
    struct pair pair, copy;
    pair.first = 1;
    copy = pair;
    if (copy.second > 0) //~ uninit-read
        return 1;
    return 0;
}

int copied_structure_ok(void)
{
    struct pair pair, copy;
    pair.first = 1;
    copy = pair;
    if (copy.first > 0)
        return 1;
    return 0;
}

int heap_bad(void)
{
    int *p = malloc(2 * sizeof *p);
    if (!p)
        return -1;
    int result = 0;
    if (p[1]) //~ uninit-read
        result = 1;
    free(p);
    return result;
}

int calloc_ok(void)
{
    int *p = calloc(2, sizeof *p);
    if (!p)
        return -1;
    int result = 0;
    if (p[1])
        result = 1;
    free(p);
    return result;
}

int memset_ok(void)
{
    int values[4];
    memset(values, 0, sizeof values);
    if (values[3])
        return 1;
    return 0;
}

int memset_too_short_bad(void)
{
    int values[4];
    memset(values, 0, 2 * sizeof values[0]);
    if (values[3]) //~ uninit-read
        return 1;
    return 0;
}

int grown_tail_bad(void)
{
    int *p = calloc(1, sizeof *p);
    if (!p)
        return -1;
    int *q = realloc(p, 2 * sizeof *q);
    if (!q) {
        free(p);
        return -1;
    }
    int result = 0;
    if (q[1]) //~ uninit-read
        result = 1;
    free(q);
    return result;
}

int grown_head_ok(void)
{
    int *p = calloc(1, sizeof *p);
    if (!p)
        return -1;
    int *q = realloc(p, 2 * sizeof *q);
    if (!q) {
        free(p);
        return -1;
    }
    int result = 0;
    if (q[0])
        result = 1;
    free(q);
    return result;
}

void printed_bad(void)
{
    int x;
    printf("%d\n", x); //~ uninit-read
}

int switch_bad(void)
{
    int x;
    switch (x) { //~ uninit-read
    case 1: return 4;
    default: return 5;
    }
}

int sum_bad(void)
{
    int x, y = 2;
    int sum = x + y;
    if (sum > 3) //~ uninit-read
        return 1;
    return 0;
}

int copied_only_ok(void)
{
    int x, y;
    y = x;
    (void)y;
    return 0;
}

int loop_of_two_bad(void)
{
    int values[3], sum = 0;
    for (int i = 0; i < 2; i++)
        values[i] = i;
    for (int i = 0; i < 3; i++)
        if (values[i]) //~ uninit-read
            sum++;
    return sum;
}

int loop_of_three_ok(void)
{
    int values[3], sum = 0;
    for (int i = 0; i < 3; i++)
        values[i] = i;
    for (int i = 0; i < 3; i++)
        if (values[i])
            sum++;
    return sum;
}

int set_in_unknown_loop_bad(void)
{
    int last;
    while (any()) //~ step #b1 "taking the branch where `any() == 0`"
        last = any();
    if (last > 0) //~ uninit-read #b "`last` is used in a condition but was never written" cause program
        return 1;
    return 0;
}

int set_in_do_loop_ok(void)
{
    int last;
    do
        last = any();
    while (any());
    if (last > 0)
        return 1;
    return 0;
}

union number {
    unsigned wide;
    unsigned char bytes[4];
};

int union_bytes_ok(void)
{
    union number number;
    number.wide = any_unsigned();
    if (number.bytes[3])
        return 1;
    return 0;
}

int union_upper_byte_bad(void)
{
    union number number;
    number.bytes[0] = 1;
    if (number.bytes[3]) //~ uninit-read
        return 1;
    return 0;
}

struct flags {
    unsigned ready : 1, done : 1;
};

int bit_field_ok(void)
{
    struct flags flags = {0};
    flags.ready = 1;
    if (flags.done)
        return 1;
    return 0;
}

int bit_field_bad(void)
{
    struct flags flags;
    flags.ready = 1;
    if (flags.done) //~ uninit-read
        return 1;
    return 0;
}

// Each round has variables of its own.
int second_round_bad(void)
{
    for (int i = 0; i < 2; i++) {
        int words[2];
        words[1] = i;
        if (i == 1 && words[0] == 5) //~ uninit-read
            return words[1];
        words[0] = 5;
    }
    return 0;
}
