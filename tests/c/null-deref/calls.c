// Null pointers that cross calls: passed down, returned, left in out-parameters, in structures and globals.
#include "../stubs.h"

struct node {
    int value;
    struct node *next;
};

struct range {
    int *begin, *end;
};

static int get(const int *p) { return *p; } //~ step #a2 "the null pointer is dereferenced here"
static void set(int *p, int value) { *p = value; } //~ step #b3 "the null pointer is dereferenced here"
static void set_if(int *p, int value) { if (p) *p = value; }
static int *nothing(void) { return NULL; }
static int *itself(int *p) { return p; }
static int *find(int *p, int key) { return *p == key ? p : NULL; }
static int next_value(const struct node *node) { return node->next->value; }
//~^ step #f2 "the null pointer is dereferenced here"
static void clear(int **p) { *p = NULL; }

int passed_down_bad(void)
{
    return get(NULL);
    //~^ null-deref #a "a null pointer is passed to `get`, which dereferences it" cause program when "true"
    //~^ step #a1 "the pointer is passed here"
}

void passed_down_checked_ok(void) { set_if(NULL, 3); }

static void set_twice(int *p) { set(p, 1); set(p, 2); } //~ step #b2 "calls `set`"

void passed_down_two_levels_bad(void)
{
    set_twice(NULL);
    //~^ null-deref #b "a null pointer is passed to `set_twice`, which dereferences it" cause program
    //~^ step #b1 "the pointer is passed here"
}

int returned_bad(void)
{
    int *p = nothing(); //~ step #c1 "`nothing` returns null"
    return *p; //~ null-deref #c "`p` is null and is dereferenced" cause program when "true"
}

int returned_to_itself_bad(void)
{
    int *p = itself(NULL);
    return *p; //~ null-deref
}

int returned_to_itself_ok(void)
{
    int box = 3;
    return *itself(&box);
}

int found_ok(void)
{
    int box = 3;
    return *find(&box, 3);
}

int not_found_bad(void)
{
    int box = 3;
    return *find(&box, 4); //~ null-deref #d "`find()` is null and is dereferenced" cause program when "true"
    //~^ step #d1 "`find` returns null"
}

int out_parameter_bad(void)
{
    int box = 3;
    int *p = &box;
    clear(&p);
    return *p; //~ null-deref
}

int out_parameter_of_other_ok(void)
{
    int box = 3;
    int *p = &box, *q = &box;
    clear(&q);
    return *p;
}

static void choose(int **first, int **second, int *value)
{
    *first = value;
    *second = NULL;
}

int aliased_out_parameters_bad(void)
{
    int box = 3;
    int *p;
    choose(&p, &p, &box);
    return *p; //~ null-deref
}

int separate_out_parameters_ok(void)
{
    int box = 3;
    int *p, *q;
    choose(&p, &q, &box);
    return *p;
}

static int read_then_clear(int **p, int **q)
{
    *p = NULL;
    return **q; //~ step #e2 "`*q` is null and is dereferenced"
}

int aliased_arguments_bad(void)
{
    int box = 3;
    int *p = &box;
    return read_then_clear(&p, &p);
    //~^ null-deref #e "in `read_then_clear`: `*q` is null and is dereferenced" cause program when "true"
    //~^ step #e1 "this call makes `read_then_clear` fail"
}

int distinct_arguments_ok(void)
{
    int box = 3;
    int *p = &box, *q = &box;
    return read_then_clear(&p, &q);
}

static struct range empty_range(void)
{
    struct range range = {NULL, NULL};
    return range;
}

static struct range whole(int *values, int count)
{
    struct range range = {values, values + count};
    return range;
}

int returned_structure_bad(void)
{
    struct range range = empty_range();
    return *range.begin; //~ null-deref
}

int returned_structure_ok(void)
{
    int values[2] = {1, 2};
    struct range range = whole(values, 2);
    return *range.begin;
}

static int first_of(struct range range) { return *range.begin; }

int structure_by_value_bad(void)
{
    return first_of(empty_range()); //~ null-deref
}

int end_of_list_bad(void)
{
    struct node last = {1, NULL};
    return next_value(&last);
    //~^ null-deref #f "`last.next` is null, and `next_value` dereferences it" cause program when "true"
    //~^ step #f1 "the pointer is passed here"
}

int inside_of_list_ok(void)
{
    struct node last = {1, NULL}, first = {2, &last};
    return next_value(&first);
}

int *shared;

static void drop_shared(void) { shared = NULL; }

int global_bad(void)
{
    drop_shared();
    return *shared; //~ null-deref
}

int global_set_ok(void)
{
    static int value = 3;
    drop_shared();
    shared = &value;
    return *shared;
}

static int depth(int n, int *p)
{
    if (n == 0)
        return *p;
    return depth(n - 1, p);
}

int recursion_bad(void)
{
    return depth(0, NULL); //~ null-deref
}

int recursion_ok(void)
{
    int box = 3;
    return depth(1, &box);
}

static int *lookup(int key)
{
    static int value = 3;
    return key == 1 ? &value : NULL;
}

int lookup_ok(void) { return *lookup(1); }

int lookup_bad(void)
{
    return *lookup(2); //~ null-deref
}

static struct { int first, second; } both;
static int set_both(int *second) { both.first = 1; *second = 2; return both.first * 10 + both.second; }

// A callee that uses a global, and gets a pointer into it.
int member_of_global_bad(void)
{
    int *p = NULL;
    if (set_both(&both.second) == 12)
        return *p; //~ null-deref
    return 0;
}

int member_of_global_ok(void)
{
    int *p = NULL;
    if (set_both(&both.second) == 21)
        return *p;
    return 0;
}
