// A search that runs backward does not stop at the first element of a heap array.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

static int last_positive(const long *values, int n)
{
    int i = n - 1;
    while (values[i] <= 0) //~ out-of-bounds
        i--;
    return i;
}

int main(void)
{
    long *values = calloc(4, sizeof *values);
    if (!values)
        return 1;
    values[1] = 5;
    printf("%d\n", last_positive(values, 4));
    values[1] = -5;
    printf("%d\n", last_positive(values, 4) < 4);
    free(values);
    return 0;
}
