// A block sized for the small struct is used as the large one.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

struct base {
    int id;
    int kind;
};

struct extended {
    struct base base;
    double weight;
};

static struct base *make(int id)
{
    struct base *b = malloc(sizeof *b);
    if (!b)
        exit(1);
    b->id = id;
    b->kind = 2;
    return b;
}

static void weigh(struct base *b, double weight)
{
    struct extended *e = (struct extended *)b;
    e->weight = weight; //~ out-of-bounds
}

int main(void)
{
    struct base *b = make(1);
    printf("%d\n", b->kind);
    weigh(b, 0.5);
    free(b);
    return 0;
}
