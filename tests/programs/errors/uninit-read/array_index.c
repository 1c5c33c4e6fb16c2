// An index that the search loop never set selects an element.
// sanitizer: memory
#include <stdio.h>

static int pick(const int *values, int n, int wanted)
{
    int at;
    for (int i = 0; i < n; i++)
        if (values[i] == wanted)
            at = i;
    return values[at & 3]; //~ uninit-read
}

int main(void)
{
    int values[4] = { 2, 4, 6, 8 };
    printf("%d\n", pick(values, 4, 6));
    printf("%d\n", pick(values, 4, 7));
    return 0;
}
