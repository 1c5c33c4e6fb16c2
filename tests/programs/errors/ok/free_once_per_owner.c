// Looks like double-free: each alias is set to null after the one free, and duplicates are skipped.
#include <stdio.h>
#include <stdlib.h>

static int freed;

static void release(int **slots, int n)
{
    for (int i = 0; i < n; i++) {
        if (!slots[i])
            continue;
        int *block = slots[i];
        for (int j = i; j < n; j++)
            if (slots[j] == block)
                slots[j] = NULL;
        free(block);
        freed++;
    }
}

int main(void)
{
    int *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b)
        return 1;
    int *slots[5] = { a, b, a, NULL, b };
    *slots[2] = 4;
    *slots[4] = 5;
    printf("%d %d\n", *slots[0], *slots[1]);
    release(slots, 5);
    release(slots, 5);
    printf("%d\n", freed);
    return 0;
}
