// args: --only doomed
// A point is a place where something is written.
#include "../stubs.h"

int m;

// The `else` is not there: whether `x` is 2 is a question to the callers.
int no_else_ok(int x)
{
    int *p = 0;
    if (x == 2)
        p = &m;
    return *p;
}

int with_else_bad(int x, int y)
{
    int *p = 0;
    if (x == 2) {
        p = &m;
    } else {
        y = 1;
    }
    return *p + y; //~ doomed null-deref "`p` is null"
}

// The `default` is not there.
int no_default_ok(int x)
{
    int *p = 0;
    switch (x) {
    case 1:
        p = &m;
        break;
    case 2:
        p = &m + 1 - 1;
        break;
    }
    return *p;
}

int with_default_bad(int x, int y)
{
    int *p = 0;
    switch (x) {
    case 1:
        p = &m;
        break;
    default:
        y = 3;
        break;
    }
    return *p + y; //~ doomed null-deref "`p` is null"
}

// Zero rounds are not written anywhere.
int zero_rounds_ok(int n)
{
    int *p = 0;
    for (int i = 0; i < n; i++)
        p = &m;
    return *p;
}

int zero_rounds_with_statement_bad(int n)
{
    int *p = 0;
    for (int i = 0; i < n; i++)
        p = &m;
    if (n <= 0) {
        m = 7;
        return *p; //~ doomed null-deref "`p` is null"
    }
    return 0;
}

// One operand of `&&` is no place.
int operand_ok(int x, int y)
{
    int *p = 0;
    if (x && y)
        p = &m;
    return *p;
}

int conditional_operand_ok(int x)
{
    int *p = x ? &m : 0;
    return *p;
}

int negated_operand_bad(int x, int y)
{
    int *p = 0;
    if (!x || !y)
        m = 3;
    else
        p = &m;
    return *p; //~ doomed null-deref "`p` is null"
}
