// A pointer into the middle of a heap block is freed.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *block = malloc(10 * sizeof *block);
    if (!block)
        return 1;
    block[3] = 33;
    int *middle = block + 3;
    printf("%d\n", *middle);
    free(middle); //~ invalid-free
    free(block);
    return 0;
}
