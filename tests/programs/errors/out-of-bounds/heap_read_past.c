// A loop bound off by one reads the element after a heap array.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 6, sum = 0;
    int *values = malloc((size_t)n * sizeof *values);
    if (!values)
        return 1;
    for (int i = 0; i < n; i++)
        values[i] = i;
    for (int i = 0; i <= n; i++)
        sum += values[i]; //~ out-of-bounds
    printf("%d\n", sum != 0);
    free(values);
    return 0;
}
