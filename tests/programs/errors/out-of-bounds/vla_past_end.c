// A variable-length array is written at the index equal to its length.
// sanitizer: address
#include <stdio.h>

static int fill(int n, int upto)
{
    int values[n];
    for (int i = 0; i < n; i++)
        values[i] = 0;
    values[upto] = 9; //~ out-of-bounds
    return values[0];
}

int main(void)
{
    printf("%d\n", fill(8, 3));
    printf("%d\n", fill(8, 8));
    return 0;
}
