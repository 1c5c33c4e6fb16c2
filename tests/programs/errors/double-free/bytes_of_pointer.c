// The pointer is copied byte by byte into a second variable, and both variables are freed.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    double *first = malloc(3 * sizeof *first), *second;
    if (!first)
        return 1;
    first[2] = 1.5;
    unsigned char bytes[sizeof first];
    memcpy(bytes, &first, sizeof first);
    memcpy(&second, bytes, sizeof second);
    printf("%.1f\n", second[2]);
    free(first);
    free(second); //~ double-free
    return 0;
}
