// An element pointer is kept across a realloc that moves the array.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *numbers = malloc(2 * sizeof *numbers);
    if (!numbers)
        return 1;
    numbers[0] = 10;
    numbers[1] = 20;
    int *second = &numbers[1];
    numbers = realloc(numbers, 100000 * sizeof *numbers);
    if (!numbers)
        return 1;
    numbers[2] = 30;
    int sum = numbers[0] + *second; //~ use-after-free
    printf("%d\n", sum);
    free(numbers);
    return 0;
}
