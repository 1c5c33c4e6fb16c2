// A loop over an array of pointers frees all entries except the first.
// sanitizer: leak
#include <stdio.h>
#include <stdlib.h>

enum { N = 4 };

static void fill(long **slots)
{
    slots[0] = malloc(sizeof(long)); //~ memory-leak
    for (int i = 1; i < N; i++)
        slots[i] = malloc(2 * sizeof(long));
}

static long drain(long **slots)
{
    long sum = 0;
    for (int i = 1; i < N; i++) {
        sum += i;
        free(slots[i]);
        slots[i] = NULL;
    }
    slots[0] = NULL;
    return sum;
}

int main(void)
{
    long *slots[N];
    fill(slots);
    printf("%ld\n", drain(slots));
    return 0;
}
