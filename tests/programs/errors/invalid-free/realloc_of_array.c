// A local array is handed to realloc in order to grow.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int *items;
    int n, capacity;
};

static void push(struct vector *v, int value)
{
    if (v->n == v->capacity) {
        v->capacity *= 2;
        v->items = realloc(v->items, (size_t)v->capacity * sizeof *v->items); //~ invalid-free
        if (!v->items)
            exit(1);
    }
    v->items[v->n++] = value;
}

int main(void)
{
    int initial[4];
    struct vector v = { initial, 0, 4 };
    for (int i = 0; i < 4; i++)
        push(&v, i);
    printf("%d\n", v.items[3]);
    push(&v, 4);
    return 0;
}
