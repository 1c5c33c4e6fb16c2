// A loop that counts down to zero, inclusive, divides by its counter.
// sanitizer: undefined
#include <stdio.h>

int main(void)
{
    int sum = 0;
    for (int i = 5; i >= 0; i--)
        sum += 60 / i; //~ div-by-zero
    printf("%d\n", sum);
    return 0;
}
