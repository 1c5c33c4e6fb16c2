// Null pointers in memory: members, unions, casts, copies, tables.
#include "../stubs.h"

struct list {
    struct list *next, *previous;
};

struct item {
    int number;
    struct list link;
    int *value;
};

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

int cleared_member_bad(struct item *item)
{
    item->value = NULL;
    return *item->value; //~ null-deref
}

int other_member_cleared_ok(struct item *item)
{
    item->link.next = NULL;
    return *item->value;
}

int zeroed_structure_bad(void)
{
    struct item item = {0};
    return *item.value; //~ null-deref
}

int memset_structure_bad(void)
{
    struct item item;
    memset(&item, 0, sizeof item);
    return *item.value; //~ null-deref
}

int memset_then_set_ok(void)
{
    struct item item;
    memset(&item, 0, sizeof item);
    item.value = &item.number;
    return *item.value;
}

int calloc_member_bad(void)
{
    struct item *item = calloc(1, sizeof *item);
    if (!item)
        return -1;
    int value = *item->value; //~ null-deref
    free(item);
    return value;
}

int assigned_structure_bad(void)
{
    int box = 3;
    struct item empty = {0}, item = {1, {NULL, NULL}, &box};
    item = empty;
    return *item.value; //~ null-deref
}

int assigned_structure_ok(void)
{
    int box = 3;
    struct item item = {0}, full = {1, {NULL, NULL}, &box};
    item = full;
    return *item.value;
}

int copied_pointer_bad(void)
{
    int box = 3;
    int *p = &box, *q = NULL;
    memcpy(&p, &q, sizeof p);
    return *p; //~ null-deref
}

int copied_pointer_ok(void)
{
    int box = 3;
    int *p = NULL, *q = &box;
    memcpy(&p, &q, sizeof p);
    return *p;
}

int copied_half_ok(void)
{
    int box = 3;
    int *pair[2] = {&box, NULL}, *other[2] = {NULL, NULL};
    memcpy(&pair[1], &other[1], sizeof pair[1]);
    return *pair[0];
}

union word {
    int *pointer;
    uintptr_t bits;
};

int union_zero_bad(void)
{
    union word word;
    word.bits = 0;
    return *word.pointer; //~ null-deref
}

int union_bits_ok(void)
{
    int box = 3;
    union word word;
    word.pointer = &box;
    word.bits |= 0;
    return *word.pointer;
}

int integer_and_back_bad(void)
{
    uintptr_t bits = (uintptr_t)NULL;
    return *(int *)bits; //~ null-deref
}

int integer_and_back_ok(void)
{
    int box = 3;
    uintptr_t bits = (uintptr_t)&box + 4;
    return *(int *)(bits - 4);
}

int container_ok(struct list *link)
{
    return container_of(link, struct item, link)->number;
}

int container_of_local_bad(void)
{
    struct item item = {1, {NULL, NULL}, NULL};
    struct list *link = &item.link;
    return *container_of(link, struct item, link)->value; //~ null-deref
}

static const int one = 1, two = 2;
static const int *const table[] = {&one, NULL, &two};

int table_entry_ok(void) { return *table[2]; }

int table_hole_bad(void)
{
    return *table[1]; //~ null-deref
}

static const struct { const char *name; const int *value; } options[] = {{"one", &one}, {"none", NULL}};

int option_bad(void)
{
    return *options[1].value; //~ null-deref
}

int option_ok(void) { return *options[0].value; }

int swapped_bad(void)
{
    int box = 3;
    int *p = &box, *q = NULL;
    int *old = p;
    p = q;
    q = old;
    return *q + *p; //~ null-deref
}

int swapped_ok(void)
{
    int box = 3;
    int *p = NULL, *q = &box;
    int *old = p;
    p = q;
    q = old;
    return *p;
}

int alias_clears_bad(void)
{
    int box = 3;
    int *p = &box;
    int **alias = &p;
    *alias = NULL;
    return *p; //~ null-deref
}

int array_entry_ok(int *values[2])
{
    values[0] = NULL;
    return *values[1];
}
