// A callee writes through its out-parameter although one of its callers passes null.
// sanitizer: undefined
#include <stdio.h>

static int divide(int a, int b, int *rest)
{
    int quotient = a / b;
    *rest = a - quotient * b; //~ null-deref
    return quotient;
}

int main(void)
{
    int rest = 0;
    int q = divide(17, 5, &rest);
    printf("%d %d\n", q, rest);
    q = divide(9, 2, NULL);
    printf("%d\n", q);
    return 0;
}
