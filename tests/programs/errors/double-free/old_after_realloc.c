// The old pointer is freed although realloc already released it.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *old = calloc(4, sizeof *old);
    if (!old)
        return 1;
    int *grown = realloc(old, 100000 * sizeof *grown);
    if (!grown)
        return 1;
    grown[50] = 5;
    printf("%d\n", grown[50] + grown[3]);
    free(grown);
    free(old); //~ double-free
    return 0;
}
