// A function returns the address of its local array.
// sanitizer: address
#include <stdio.h>

static int *make(int seed)
{
    int values[4];
    for (int i = 0; i < 4; i++)
        values[i] = seed + i;
    int *first = values;
    return first;
}

int main(void)
{
    int *v = make(10);
    int third = v[2]; //~ use-after-scope
    printf("%d\n", third > 0);
    return 0;
}
