// memset takes the number of elements for the number of bytes of a smaller array.
// sanitizer: address
#include <stdio.h>
#include <string.h>

static char marks[24];
static int weights[24];

static void clear(void *p, size_t n)
{
    memset(p, 0, n); //~ out-of-bounds
}

int main(void)
{
    clear(weights, sizeof weights);
    printf("%d\n", weights[23]);
    clear(marks, 24 * sizeof(short));
    return marks[0];
}
