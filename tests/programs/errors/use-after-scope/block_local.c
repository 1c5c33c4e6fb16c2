// A pointer keeps the address of a variable whose block has ended.
// sanitizer: address
#include <stdio.h>

int main(void)
{
    int *p;
    int sum = 0;
    {
        int inner = 5;
        p = &inner;
        sum += *p;
    }
    sum += *p; //~ use-after-scope
    printf("%d\n", sum);
    return 0;
}
