// Raad et al., Local Reasoning about the Presence of Bugs: Incorrectness Separation Logic, §2 (Figs 1 to 3): a pointer into
// a vector is invalidated by a push that moves the vector.
#include "../stubs.h"

struct vector {
    int *items;
    size_t count, capacity;
};

static void push_back(int **vector)
{
    if (any()) {
        free(*vector); //~ step #a2 "the block is freed"
        *vector = malloc(sizeof **vector); //~ step #b2 "`malloc` returns null"
    }
}

void client_bad(int **vector)
{
    int *x = *vector;
    push_back(vector); //~ step #a1 "calls `push_back`"
    *x = 88; //~ use-after-free #a "`x` is used after it was freed" cause program when "valid(vector) && valid(*vector) && vector != *vector"
}

void client_without_push_ok(int **vector)
{
    int *x = *vector;
    *x = 88;
    push_back(vector);
}

/* The new array is valid if there was memory for it. */
void client_reads_again_bad(int **vector)
{
    push_back(vector); //~ step #b1 "calls `push_back`"
    int *x = *vector;
    *x = 88; //~ null-deref #b "`x` is null and is dereferenced" cause environment when "valid(vector) && valid(*vector) && vector != *vector"
}

void client_reads_again_and_tests_ok(int **vector)
{
    push_back(vector);
    int *x = *vector;
    if (x)
        *x = 88;
}

static int vector_init(struct vector *vector, size_t capacity)
{
    vector->items = malloc(capacity * sizeof *vector->items);
    vector->count = 0;
    vector->capacity = capacity;
    return vector->items ? 0 : -1;
}

static int vector_push(struct vector *vector, int item)
{
    if (vector->count == vector->capacity) {
        int *items = realloc(vector->items, 2 * vector->capacity * sizeof *items);
        if (!items)
            return -1;
        vector->items = items;
        vector->capacity *= 2;
    }
    vector->items[vector->count++] = item;
    return 0;
}

static int *vector_at(struct vector *vector, size_t i) { return &vector->items[i]; }

int growing_bad(void)
{
    struct vector vector;
    if (vector_init(&vector, 1) < 0)
        return -1;
    vector_push(&vector, 3);
    int *first = vector_at(&vector, 0);
    int result = vector_push(&vector, 42);
    if (result == 0)
        *first = 88; //~ use-after-free
    free(vector.items);
    return result;
}

int room_left_ok(void)
{
    struct vector vector;
    if (vector_init(&vector, 2) < 0)
        return -1;
    vector_push(&vector, 3);
    int *first = vector_at(&vector, 0);
    int result = vector_push(&vector, 42);
    if (result == 0)
        *first = 88;
    free(vector.items);
    return result;
}

int taken_again_ok(void)
{
    struct vector vector;
    if (vector_init(&vector, 1) < 0)
        return -1;
    vector_push(&vector, 3);
    int result = vector_push(&vector, 42);
    *vector_at(&vector, 0) = 88;
    free(vector.items);
    return result;
}
