// The average of an empty list divides by its length.
// sanitizer: undefined
#include <stdio.h>

static int average(const int *values, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    return sum / n; //~ div-by-zero
}

int main(void)
{
    int values[3] = { 1, 2, 6 };
    printf("%d\n", average(values, 3));
    printf("%d\n", average(values, 0));
    return 0;
}
