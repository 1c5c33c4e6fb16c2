// strlen runs past a global array of letters that has no terminator.
// sanitizer: address
#include <stdio.h>
#include <string.h>

static char code[4] = { 'A', 'B', 'C', 'D' };

int main(void)
{
    char copy[5];
    memcpy(copy, code, 4);
    copy[4] = 0;
    printf("%zu\n", strlen(copy));
    size_t n = strlen(code); //~ out-of-bounds
    return n == 100;
}
