// A block is allocated, used and never freed.
// sanitizer: leak
#include <stdio.h>
#include <stdlib.h>

static int sum_squares(int n)
{
    int *values = malloc((size_t)n * sizeof *values); //~ memory-leak
    if (!values)
        return -1;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        values[i] = i * i;
        sum += values[i];
    }
    return sum;
}

int main(void)
{
    printf("%d\n", sum_squares(10));
    return 0;
}
