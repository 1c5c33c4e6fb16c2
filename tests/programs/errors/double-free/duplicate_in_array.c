// An array of pointers holds one block twice, and a loop frees every entry.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *slots[4];
    for (int i = 0; i < 3; i++) {
        slots[i] = malloc(sizeof(int));
        if (!slots[i])
            return 1;
        *slots[i] = i;
    }
    slots[3] = slots[1];
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += *slots[i];
    printf("%d\n", sum);
    for (int i = 0; i < 4; i++)
        free(slots[i]); //~ double-free
    return 0;
}
