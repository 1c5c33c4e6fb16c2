// args: --only doomed
// Indices that came to be negative, into arrays whose size nobody knows.
#include "../stubs.h"

struct vector {
    int *items;
    int length;
};

// The loop uses the member from its start.
int through_a_member_bad(const struct vector *v, int key)
{
    int i;
    for (i = v->length - 1; i >= 0; i--)
        if (v->items[i] == key)
            return i;
    return v->items[i]; //~ doomed out-of-bounds "the index into `v->items` is negative here"
}

int through_a_member_ok(const struct vector *v, int key)
{
    int i;
    for (i = v->length - 1; i > 0; i--)
        if (v->items[i] == key)
            return i;
    return v->items[i];
}

// Here it is not the start: the loop goes below it.
int before_the_member_ok(const struct vector *v, int key)
{
    int i;
    for (i = v->length - 1; i >= -4; i--)
        if (v->items[i] == key)
            return i;
    return v->items[i];
}

// The member is moved.
int moved_member_ok(struct vector *v, int key)
{
    int i;
    for (i = v->length - 1; i >= 0; i--)
        if (v->items[i] == key)
            return i;
    v->items = v->items + 1;
    return v->items[i];
}

// Two loops, and neither looks like the paper's.
int tested_in_the_loop_bad(int *a, int n)
{
    int i = n;
    while (1) {
        i = i - 1;
        if (i < 0)
            break;
        a[i] = 0;
    }
    a[i] = 1; //~ doomed out-of-bounds "the index into `a` is negative here"
    return n;
}

int tested_in_the_loop_ok(int *a, int n)
{
    int i = n;
    while (1) {
        i = i - 1;
        if (i < 1)
            break;
        a[i] = 0;
    }
    a[i + 1] = 1;
    return n;
}

// Nothing shows where the array begins.
int no_evidence_ok(const int *a, int k)
{
    if (k < 0)
        return a[k];
    return 0;
}

// One of the loops looks at what lies before.
int one_loop_goes_below_ok(const int *a, int n)
{
    int i, sum = 0;
    for (i = 0; i < n; i++)
        sum += a[i] - a[i - 1];
    for (i = n - 1; i >= 0; i--)
        sum += a[i];
    return sum + a[i];
}
