// Looks like memory-leak: blocks still reachable from globals, also through their middle, are not leaked at exit.
#include <stdio.h>
#include <stdlib.h>

struct cache {
    int size;
    int *items;
};

static struct cache *cache;
static int *middle;

static void init(void)
{
    cache = malloc(sizeof *cache);
    if (!cache)
        exit(1);
    cache->size = 4;
    cache->items = calloc(4, sizeof *cache->items);
    int *block = malloc(10 * sizeof *block);
    if (!cache->items || !block)
        exit(1);
    block[5] = 55;
    middle = block + 5;
}

int main(void)
{
    init();
    cache->items[3] = 7;
    printf("%d %d\n", cache->items[3], *middle);
    return 0;
}
