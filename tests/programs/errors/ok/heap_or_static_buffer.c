// Looks like invalid-free: the buffer is static or from the heap, and only the latter is freed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char fallback[32];

static char *get_buffer(size_t n) { return n <= sizeof fallback ? fallback : malloc(n); }

static void put_buffer(char *b)
{
    if (b != fallback)
        free(b);
}

int main(void)
{
    char *small = get_buffer(8), *big = get_buffer(64);
    if (!big)
        return 1;
    strcpy(small, "static");
    strcpy(big, "from the heap");
    printf("%s %s\n", small, big);
    put_buffer(small);
    put_buffer(big);
    return 0;
}
