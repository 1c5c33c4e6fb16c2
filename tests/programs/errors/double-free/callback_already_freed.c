// A destructor callback frees its object, and the container frees the object once more.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

struct object {
    int id;
    void (*destroy)(struct object *);
};

static void self_destroy(struct object *o)
{
    printf("destroying %d\n", o->id);
    free(o);
}

static void drop(struct object **slot)
{
    struct object *o = *slot;
    o->destroy(o);
    free(o); //~ double-free
    *slot = NULL;
}

int main(void)
{
    struct object *o = malloc(sizeof *o);
    if (!o)
        return 1;
    o->id = 3;
    o->destroy = self_destroy;
    drop(&o);
    return 0;
}
