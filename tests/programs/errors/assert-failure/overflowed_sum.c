// An unsigned sum wraps, and the assertion that it only grows fails.
// sanitizer: assert
#include <assert.h>
#include <stdio.h>

int main(void)
{
    unsigned char total = 0, before = 0;
    for (int i = 0; i < 10; i++) {
        before = total;
        total = (unsigned char)(total + 40);
        assert(total > before); //~ assert-failure
    }
    printf("%d\n", total);
    return 0;
}
