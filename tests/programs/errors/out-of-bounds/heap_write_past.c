// The terminator is written one byte after a heap block that has room for the letters only.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *duplicate(const char *s)
{
    size_t n = strlen(s);
    char *copy = malloc(n);
    if (!copy)
        exit(1);
    for (size_t i = 0; i < n; i++)
        copy[i] = s[i];
    copy[n] = 0; //~ out-of-bounds
    return copy;
}

int main(void)
{
    char *copy = duplicate("12345678");
    printf("%c\n", copy[7]);
    free(copy);
    return 0;
}
