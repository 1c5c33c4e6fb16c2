// An array of pointers has a null hole, and a loop dereferences every entry.
// sanitizer: undefined
#include <stdio.h>

int main(void)
{
    int a = 1, b = 2, c = 3;
    int *table[4] = { &a, &b, NULL, &c };
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += *table[i]; //~ null-deref
    printf("sum %d\n", sum);
    return 0;
}
