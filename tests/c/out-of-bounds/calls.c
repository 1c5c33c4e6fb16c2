// Sizes and indices that meet only in the caller.
#include "../stubs.h"

struct slice {
    int *items;
    unsigned count;
};

static int get(const int *values, int i) { return values[i]; }
//~^ step #a2 "bytes outside of the object are accessed here"
static void set_third(int *values) { values[2] = 1; }
//~^ step #b4 "bytes outside of the object are accessed here"
static int *allocate(unsigned count) { return calloc(count, sizeof(int)); }
//~^ step #b2 "the block is allocated"
static void clear(int *values, unsigned count) { memset(values, 0, count * sizeof *values); }
static int last(struct slice slice) { return slice.count ? slice.items[slice.count - 1] : 0; }
static int last_wrong(const struct slice *slice) { return slice->items[slice->count]; }
static struct slice slice_of(int *items, unsigned count) { struct slice slice = {items, count}; return slice; }

int index_passed_bad(void)
{
    int values[3] = {1, 2, 3};
    return get(values, 3); //~ out-of-bounds #a "`get` accesses bytes outside of `values`" cause program
    //~^ step #a1 "the pointer is passed here"
}

int index_passed_ok(void)
{
    int values[3] = {1, 2, 3};
    return get(values, 2);
}

void array_too_short_bad(void)
{
    int values[2];
    set_third(values); //~ out-of-bounds
}

void array_long_enough_ok(void)
{
    int values[3];
    set_third(values);
}

void allocated_too_short_bad(void)
{
    int *p = allocate(2); //~ step #b1 "calls `allocate`"
    if (!p)
        return;
    set_third(p); //~ out-of-bounds #b "`set_third` accesses `p` up to byte 12, beyond its end" cause program
    //~^ step #b3 "the pointer is passed here"
    free(p);
}

void allocated_ok(void)
{
    int *p = allocate(3);
    if (!p)
        return;
    set_third(p);
    free(p);
}

void cleared_too_far_bad(void)
{
    int values[2];
    clear(values, 3); //~ out-of-bounds
}

void cleared_ok(void)
{
    int values[2];
    clear(values, 2);
}

int slice_ok(void)
{
    int values[3] = {1, 2, 3};
    return last(slice_of(values, 3));
}

int empty_slice_ok(void)
{
    int values[3] = {1, 2, 3};
    return last(slice_of(values + 3, 0));
}

int slice_too_long_bad(void)
{
    int values[3] = {1, 2, 3};
    return last(slice_of(values, 4)); //~ out-of-bounds
}

int slice_wrong_bad(void)
{
    int values[3] = {1, 2, 3};
    struct slice slice = slice_of(values, 3);
    return last_wrong(&slice); //~ out-of-bounds
}

static int nth(const int *values, int n)
{
    return n == 0 ? *values : nth(values + 1, n - 1); //~ step #c2 "calls `nth`"
    //~^ step #c3 "bytes outside of the object are accessed here"
}

int recursion_ok(void)
{
    int values[2] = {1, 2};
    return nth(values, 1);
}

int recursion_bad(void)
{
    int values[1] = {1};
    return nth(values, 1);
    //~^ out-of-bounds #c "`nth` accesses `values` up to byte 8, beyond its end" cause program when "true"
    //~^ step #c1 "the pointer is passed here"
}

static int visit(int (*how)(const int *, int), const int *values) { return how(values, 1); }

int visitor_ok(void)
{
    int values[2] = {1, 2};
    return visit(get, values);
}

int visitor_bad(void)
{
    int values[1] = {1};
    return visit(get, values); //~ out-of-bounds
}
