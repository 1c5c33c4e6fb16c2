// The block that realloc returned is kept only in a local variable of a function that then returns.
// sanitizer: leak
#include <stdio.h>
#include <stdlib.h>

static int grow(char **buffer, size_t size)
{
    char *grown = realloc(*buffer, size * 1000); //~ memory-leak
    if (!grown)
        return -1;
    grown[size] = 'x';
    *buffer = NULL;
    return grown[size];
}

int main(void)
{
    char *buffer = malloc(16);
    if (!buffer)
        return 1;
    buffer[0] = 'a';
    printf("%d\n", grow(&buffer, 16));
    free(buffer);
    return 0;
}
