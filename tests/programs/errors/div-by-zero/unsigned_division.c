// An unsigned difference that wraps to zero is used as a divisor.
// sanitizer: undefined
#include <stdio.h>

static unsigned scale(unsigned value, unsigned low, unsigned high)
{
    unsigned width = high - low;
    return (value - low) * 100u / width; //~ div-by-zero
}

int main(void)
{
    printf("%u\n", scale(15, 10, 20));
    printf("%u\n", scale(10, 10, 10));
    return 0;
}
