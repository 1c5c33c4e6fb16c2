// A function asserts its precondition, and a caller breaks it.
// sanitizer: assert
#include <assert.h>
#include <stdio.h>

static int root(int v)
{
    assert(v >= 0); //~ assert-failure
    int r = 0;
    while ((r + 1) * (r + 1) <= v)
        r++;
    return r;
}

int main(void)
{
    printf("%d\n", root(30));
    printf("%d\n", root(-1));
    return 0;
}
