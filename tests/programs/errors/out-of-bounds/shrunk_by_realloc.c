// A block is shrunk by realloc, and an element of the cut-off tail is read.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *values = malloc(10 * sizeof *values);
    if (!values)
        return 1;
    for (int i = 0; i < 10; i++)
        values[i] = i;
    values = realloc(values, 4 * sizeof *values);
    if (!values)
        return 1;
    int kept = values[3];
    int lost = values[4]; //~ out-of-bounds
    free(values);
    printf("%d\n", kept);
    return lost == -1;
}
