// A block is freed, and freed again without being allocated in between.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *p = malloc(10);
    if (!p)
        return 1;
    p[0] = 'x';
    printf("%c\n", p[0]);
    free(p);
    free(p); //~ double-free
    return 0;
}
