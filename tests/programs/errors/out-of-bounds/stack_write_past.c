// An item is appended to a full local array because the capacity test uses the wrong comparison.
// sanitizer: address
#include <stdio.h>

enum { CAPACITY = 4 };

static int append(int *items, int *n, int value)
{
    if (*n > CAPACITY)
        return 0;
    items[*n] = value; //~ out-of-bounds
    ++*n;
    return 1;
}

int main(void)
{
    int items[CAPACITY], n = 0;
    for (int i = 0; i < 5; i++)
        append(items, &n, i);
    printf("%d\n", n);
    return 0;
}
