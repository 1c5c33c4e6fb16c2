// The address of a local variable is freed.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int local = 5;
    int *p = &local;
    printf("%d\n", *p);
    free(p); //~ invalid-free
    return 0;
}
