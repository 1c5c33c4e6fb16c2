// A value is read from a heap block after the block was freed.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4 * sizeof *p);
    if (!p)
        return 1;
    for (int i = 0; i < 4; i++)
        p[i] = i;
    printf("%d\n", p[3]);
    free(p);
    int last = p[2]; //~ use-after-free
    return last;
}
