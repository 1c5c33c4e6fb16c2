// A hash is reduced modulo a table size that is still zero.
// sanitizer: undefined
#include <stdio.h>

struct table {
    int size;
    int used;
};

static int slot(const struct table *t, int key)
{
    int k = key < 0 ? -key : key;
    return k % t->size; //~ div-by-zero
}

int main(void)
{
    struct table ready = { 7, 0 }, fresh = { 0, 0 };
    printf("%d\n", slot(&ready, -40));
    printf("%d\n", slot(&fresh, 40));
    return 0;
}
