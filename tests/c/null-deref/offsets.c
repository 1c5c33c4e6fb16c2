// What is computed from a null pointer is as bad as null, however far away; and nothing behind it is told.
// args: --skip doomed
#include "../stubs.h"

struct table {
    int first, second;
    long rest[1000];
};

int before_bad(void)
{
    int *q = 0;
    int x = q[-1]; //~ null-deref "`q` is null and is dereferenced" cause program when "true"
    int *r = 0;
    return x + *r;
}

int behind_bad(void)
{
    int *q = 0;
    int x = q[100000]; //~ null-deref "`q` is null"
    int *r = 0;
    return x + *r;
}

int far_before_bad(void)
{
    char *q = 0;
    int x = q[-100000]; //~ null-deref "`q` is null"
    int *r = 0;
    return x + *r;
}

long member_bad(void)
{
    struct table *t = 0;
    return t->rest[900]; //~ null-deref "`t` is null"
}

int any_index_bad(int i)
{
    int *q = 0;
    q[i] = 1; //~ null-deref "`q` is null"
    int *r = 0;
    return *r;
}

int through_a_variable_bad(void)
{
    int *q = 0;
    int *before = q - 1;
    *before = 1; //~ null-deref "`q` is null"
    int *r = 0;
    return *r;
}

void copied_bad(char *to)
{
    char *q = 0;
    memcpy(to, q - 3, 5); //~ null-deref "`q` is null"
    free(to);
    free(to);
}

int allocation_bad(void)
{
    int *q = malloc(40);
    q[9] = 1; //~ null-deref "`q` is null" cause environment
    q[-0x10000] = 1; //~ out-of-bounds
    free(q);
    return 0;
}

static int get(int *p, int i) { return p[i]; }

int in_a_callee_bad(void)
{
    int x = get(0, -1); //~ null-deref "a null pointer is passed to `get`"
    int *r = 0;
    return x + *r;
}

// No access.
size_t offset_ok(void) { return (size_t)&((struct table *)0)->rest[900]; }
size_t offset_of_ok(void) { return offsetof(struct table, rest[900]); }

int *address_ok(void)
{
    struct table *t = 0;
    return &t->second;
}

int difference_ok(void)
{
    int a;
    char *p = (char *)&a, *none = 0;
    return none - 5 == p;
}

int number_ok(void) { return *(volatile int *)0x40001000; }
int number_at_the_end_ok(void) { return *(volatile int *)0xfffffffffffffff0; }

struct item {
    long key;
    struct { struct item *next; } link;
};

// `container_of` of the last element is an address that nobody looks at.
long container_ok(struct item *first)
{
    struct item *last = 0;
    struct item *owner = (struct item *)((char *)last - offsetof(struct item, link));
    return owner == first;
}

int checked_ok(int *p)
{
    if (!p)
        return 0;
    return p[-1];
}
