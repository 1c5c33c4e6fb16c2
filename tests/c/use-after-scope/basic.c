// Local variables used through pointers after their block has ended.
#include "../stubs.h"

int block_bad(void)
{
    int *p;
    {
        int x = 1;
        p = &x;
    }
    return *p; //~ use-after-scope
}

int block_still_open_ok(void)
{
    int *p;
    {
        int x = 1;
        p = &x;
        return *p;
    }
}

int outer_variable_ok(void)
{
    int x = 1;
    int *p;
    {
        int *q = &x;
        p = q;
    }
    return *p;
}

int both_branches_bad(int first, int second)
{
    int *larger;
    if (first > second) { //~ step #a1 "taking the branch where `second >= first`"
        int copy = first;
        larger = &copy;
    } else {
        int copy = second;
        larger = &copy;
    } //~ step #a2 "the scope of the variable ends"
    return *larger;
    //~^ use-after-scope #a "`larger` refers to local variable `copy`, whose scope has ended" cause program
}

int one_branch_bad(void)
{
    int x = 1;
    int *p = &x;
    if (any()) {
        int y = 2;
        p = &y;
    }
    return *p; //~ use-after-scope
}

int restored_ok(void)
{
    int x = 1;
    int *p = &x;
    if (any()) {
        int y = 2;
        p = &y;
        x = *p;
        p = &x;
    }
    return *p;
}

int array_in_block_bad(void)
{
    const char *text = "none";
    if (any()) {
        char buffer[4] = "abc";
        text = buffer;
    }
    return text[0]; //~ use-after-scope
}

int static_in_block_ok(void)
{
    const char *text = "none";
    if (any()) {
        static char buffer[4] = "abc";
        text = buffer;
    }
    return text[0];
}

int loop_variable_bad(void)
{
    int *p = NULL;
    for (int i = 0; i < 2; i++) {
        int square = i * i;
        p = &square;
    }
    return *p; //~ use-after-scope
}

int FN_earlier_round_bad(void)
{
    int *p = NULL, sum = 0;
    for (int i = 0; i < 2; i++) {
        int square = i;
        if (p)
            sum += *p; // FN: a slot that lives again has its old address, docs/limits.md#analysis
        if (!p)
            p = &square;
    }
    return sum;
}

int same_round_ok(void)
{
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int square = i * i;
        int *p = &square;
        sum += *p;
    }
    return sum;
}

int switch_block_bad(void)
{
    int *p = NULL;
    switch (any()) { //~ step #b1 "taking the branch where `any() == 1`"
    case 1: {
        int x = 4;
        p = &x;
        break;
    } //~ step #b2 "the scope of the variable ends"
    default:
        return 0;
    }
    return *p; //~ use-after-scope #b "`p` refers to local variable `x`, whose scope has ended" cause program
}

int written_bad(void)
{
    int *p;
    {
        int x = 1;
        p = &x;
    }
    *p = 2; //~ use-after-scope
    return 0;
}

struct view {
    const int *data;
    int count;
};

int in_structure_bad(void)
{
    struct view view = {NULL, 0};
    {
        int local = 3;
        view.data = &local;
        view.count = 1;
    }
    return view.data[0]; //~ use-after-scope
}

int count_tested_ok(void)
{
    struct view view = {NULL, 0};
    {
        int local = 3;
        view.data = &local;
    }
    return view.count ? view.data[0] : 0;
}

int replaced_ok(void)
{
    int *p;
    {
        int x = 1;
        p = &x;
    }
    int y = 2;
    p = &y;
    return *p;
}
