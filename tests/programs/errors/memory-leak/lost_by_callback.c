// A callback drops its reference to the context it was registered with and nobody else holds one.
// sanitizer: leak
#include <stdio.h>
#include <stdlib.h>

struct context {
    int calls;
    int limit;
};

static void *registered;

static int tick(void)
{
    struct context *c = registered;
    if (++c->calls >= c->limit) {
        registered = NULL;
        return 0;
    }
    return 1;
}

static void start(int (*callback)(void))
{
    while (callback())
        printf("tick\n");
}

static void install(int limit)
{
    struct context *c = malloc(sizeof *c); //~ memory-leak
    if (!c)
        exit(1);
    c->calls = 0;
    c->limit = limit;
    registered = c;
}

int main(void)
{
    install(3);
    start(tick);
    return 0;
}
