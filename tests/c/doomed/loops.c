// args: --only doomed
// Loops of all shapes: the last iteration is body, then exit test; and loops that never end.
#include "../stubs.h"

static int g;
static int a[10];
static int b[4];

int for_one_too_far_bad(int k)
{
    if (k) {
        g = 1;
        for (int i = 0; i <= 10; i++)
            a[i] = i; //~ doomed out-of-bounds "outside of `a`; no execution gets past this line"
    }
    return g;
}

int for_ok(int k)
{
    if (k) {
        g = 1;
        for (int i = 0; i < 10; i++)
            a[i] = i;
    }
    return g;
}

int while_one_too_far_bad(int k)
{
    if (k) {
        int i = 0;
        while (i <= 10) {
            a[i] = i; //~ doomed out-of-bounds "outside of `a`"
            i++;
        }
    }
    return g;
}

int while_ok(int k)
{
    if (k) {
        int i = 0;
        while (i < 10) {
            a[i] = i;
            i++;
        }
    }
    return g;
}

int do_one_too_far_bad(int k)
{
    if (k) {
        int i = 0;
        do {
            a[i] = i; //~ doomed out-of-bounds "outside of `a`"
            i++;
        } while (i <= 10);
    }
    return g;
}

int do_ok(int k)
{
    if (k) {
        int i = 0;
        do {
            a[i] = i;
            i++;
        } while (i < 10);
    }
    return g;
}

int goto_one_too_far_bad(int k)
{
    if (k) {
        int i = 0;
    again:
        a[i] = i; //~ doomed out-of-bounds "outside of `a`"
        i++;
        if (i <= 10)
            goto again;
    }
    return g;
}

int goto_ok(int k)
{
    if (k) {
        int i = 0;
    again:
        a[i] = i;
        i++;
        if (i < 10)
            goto again;
    }
    return g;
}

int down_too_far_bad(int k)
{
    if (k) {
        g = 1;
        for (int i = 9; i >= -1; i--)
            a[i] = i; //~ doomed out-of-bounds "outside of `a`"
    }
    return g;
}

int down_ok(int k)
{
    if (k) {
        g = 1;
        for (int i = 9; i >= 0; i--)
            a[i] = i;
    }
    return g;
}

int nested_one_too_far_bad(int k)
{
    if (k) {
        g = 1;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j <= 10; j++)
                a[j] = i; //~ doomed out-of-bounds "outside of `a`"
    }
    return g;
}

int nested_ok(int k)
{
    if (k) {
        g = 1;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 10; j++)
                a[j] = i;
    }
    return g;
}

// The outer index is the one that goes too far.
int nested_outer_one_too_far_bad(int k)
{
    if (k) {
        g = 1;
        for (int i = 0; i <= 4; i++)
            for (int j = 0; j < 3; j++)
                b[i] += j; //~ doomed out-of-bounds "outside of `b`"
    }
    return g;
}

// Whoever finds a seven leaves the loop before its end.
int several_exits_ok(const int *values)
{
    g = 1;
    for (int i = 0; i <= 10; i++) {
        if (values[i] == 7)
            break;
        a[i] = i;
    }
    return g;
}

// Either way out comes behind the tenth element.
int several_exits_bad(const int *values, int k)
{
    if (k) {
        int i = 0;
        g = 1;
        while (1) {
            a[i] = i; //~ doomed out-of-bounds "outside of `a`"
            i++;
            if (i > 12)
                break;
            if (i > 10 && values[i] == 7)
                break;
        }
    }
    return g;
}

// The bound is the caller's.
int bound_of_the_caller_ok(int n)
{
    for (int i = 0; i <= n; i++)
        a[i] = i;
    return g;
}

int the_last_divides_by_zero_bad(int k)
{
    int sum = 0;
    if (k) {
        g = 1;
        for (int i = 9; i >= 0; i--)
            sum += 100 / i; //~ doomed div-by-zero "division by `i`, which is zero"
    }
    return sum;
}

int the_last_divides_ok(int k)
{
    int sum = 0;
    if (k) {
        g = 1;
        for (int i = 9; i > 0; i--)
            sum += 100 / i;
    }
    return sum;
}

// Nobody has to enter the loop: what is doomed is its body.
int never_ends_bad(int i, int n, int step)
{
    int s = 0;
    while (i < n) {
        s += step; //~ doomed endless "the loop never ends: nothing in it changes `i` or `n`; no execution gets past this line"
    }
    return s;
}

int ends_ok(int i, int n, int step)
{
    int s = 0;
    while (i < n) {
        s += step;
        i++;
    }
    return s;
}

// It is entered by everybody who comes by.
int never_ends_if_entered_bad(unsigned n, int step)
{
    int s = 0;
    if (n) {
        g = 1;
        for (unsigned i = n; i >= 0; i--)
            s += step; //~ doomed endless "the loop never ends: `i >= 0` in every iteration; no execution gets past this line"
    }
    return s;
}

int counts_to_zero_ok(unsigned n, int step)
{
    int s = 0;
    if (n) {
        g = 1;
        for (unsigned i = n; i > 0; i--)
            s += step;
    }
    return s;
}

int tested_last_never_ends_bad(int n)
{
    int s = 0;
    do {
        s += 2; //~ doomed endless "nothing in it changes `n`"
        if (s > 100)
            s = 0;
    } while (n > 3 || n <= 3);
    return s;
}

// The inner loop counts the wrong variable.
int inner_loop_never_ends_bad(int n, int m)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; i++)
            s += i; //~ doomed endless "nothing in it changes `j` or `m`"
    return s;
}

int inner_loop_ends_ok(int n, int m)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += i;
    return s;
}
