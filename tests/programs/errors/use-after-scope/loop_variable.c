// The address of a variable of the loop body is kept and used after the loop.
// sanitizer: address
#include <stdio.h>

static const int *longest(const int *values, int n)
{
    const int *best = NULL;
    for (int i = 0; i < n; i++) {
        int square = values[i] * values[i];
        if (!best || i == n - 1)
            best = &square;
    }
    return *best > 0 ? values : NULL; //~ use-after-scope
}

int main(void)
{
    int values[3] = { 3, 1, 2 };
    printf("%d\n", longest(values, 3) == values);
    return 0;
}
