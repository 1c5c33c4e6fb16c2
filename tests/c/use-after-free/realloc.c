// Pointers into memory that grew, and so moved.
#include "../stubs.h"

struct vector {
    int *items;
    size_t count, capacity;
};

int old_pointer_bad(void)
{
    int *p = calloc(2, sizeof *p);
    if (!p)
        return -1;
    int *grown = realloc(p, 4 * sizeof *p);
    if (!grown) {
        free(p);
        return -1;
    }
    int value = p[0]; //~ use-after-free
    free(grown);
    return value;
}

int new_pointer_ok(void)
{
    int *p = calloc(2, sizeof *p);
    if (!p)
        return -1;
    int *grown = realloc(p, 4 * sizeof *p);
    if (!grown) {
        free(p);
        return -1;
    }
    int value = grown[0];
    free(grown);
    return value;
}

int old_pointer_after_failure_ok(void)
{
    int *p = calloc(2, sizeof *p);
    if (!p)
        return -1;
    int *grown = realloc(p, 4 * sizeof *p);
    int value = grown ? grown[1] : p[1];
    free(grown ? grown : p);
    return value;
}

static int grow(struct vector *vector)
{
    int *items = realloc(vector->items, 64 * sizeof *items); //~ step #a2 "the block is freed"
    if (!items)
        return -1;
    vector->items = items;
    vector->capacity = 64;
    return 0;
}

int element_before_growing_bad(struct vector *vector)
{
    int *first = &vector->items[0];
    *first = 1;
    if (grow(vector) < 0) //~ step #a1 "calls `grow`"
        return -1;
    return *first; //~ use-after-free #a "`first` is used after it was freed" cause program when "valid(vector) && valid(vector->items) && vector != vector->items"
}

int element_after_growing_ok(struct vector *vector)
{
    vector->items[0] = 1;
    if (grow(vector) < 0)
        return -1;
    int *first = &vector->items[0];
    return *first;
}

int index_survives_growing_ok(struct vector *vector)
{
    size_t first = 0;
    vector->items[first] = 1;
    if (grow(vector) < 0)
        return -1;
    return vector->items[first];
}

int element_when_growing_failed_ok(struct vector *vector)
{
    int *first = &vector->items[0];
    *first = 1;
    if (grow(vector) == 0)
        return 0;
    return *first;
}
