// A pointer that may hold a heap block or a global buffer is freed while it holds the global.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char fallback[32];

static char *get_buffer(size_t n)
{
    if (n <= sizeof fallback)
        return fallback;
    return malloc(n);
}

int main(void)
{
    char *big = get_buffer(100);
    if (!big)
        return 1;
    strcpy(big, "heap");
    printf("%s\n", big);
    free(big);
    char *small = get_buffer(8);
    strcpy(small, "static");
    printf("%s\n", small);
    free(small); //~ invalid-free
    return 0;
}
