// A local variable is set on one path only, and a branch tests it on the other.
// sanitizer: memory
#include <stdio.h>

static int classify(int v)
{
    int found;
    if (v > 10)
        found = 1;
    if (found) //~ uninit-read
        return v;
    return 0;
}

int main(void)
{
    printf("%d\n", classify(20));
    printf("%d\n", classify(5));
    return 0;
}
