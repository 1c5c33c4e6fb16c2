// memcpy reads from a block whose owner was destroyed one call before.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct image {
    unsigned char *pixels;
    size_t size;
};

static void destroy(struct image *i)
{
    free(i->pixels);
    i->size = 0;
}

int main(void)
{
    struct image i = { malloc(32), 32 };
    if (!i.pixels)
        return 1;
    memset(i.pixels, 7, i.size);
    unsigned char copy[32];
    size_t size = i.size;
    destroy(&i);
    memcpy(copy, i.pixels, size); //~ use-after-free
    printf("%d\n", copy[3]);
    return 0;
}
