// Looks like use-after-free: the position is kept as an index across realloc, not as a pointer.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *numbers = malloc(2 * sizeof *numbers);
    if (!numbers)
        return 1;
    numbers[0] = 10;
    numbers[1] = 20;
    ptrdiff_t second = &numbers[1] - numbers;
    numbers = realloc(numbers, 100000 * sizeof *numbers);
    if (!numbers)
        return 1;
    printf("%d\n", numbers[second]);
    free(numbers);
    return 0;
}
