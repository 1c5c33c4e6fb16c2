// Two members of a struct point to one block; after one is freed, the other is written through.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

struct window {
    char *base;
    char *cursor;
};

static void release(struct window *w)
{
    free(w->base);
    w->base = NULL;
}

int main(void)
{
    struct window w;
    w.base = malloc(16);
    if (!w.base)
        return 1;
    w.cursor = w.base + 4;
    *w.cursor = 'a';
    printf("%c\n", *w.cursor);
    release(&w);
    *w.cursor = 'b'; //~ use-after-free
    return 0;
}
