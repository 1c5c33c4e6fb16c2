// strlen runs over bytes of a heap buffer that were never written, because the terminator before them is gone.
// sanitizer: memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = malloc(64);
    if (!text)
        return 1;
    memcpy(text, "abc", 4);
    text[63] = 0;
    printf("%zu\n", strlen(text));
    text[3] = 'd';
    size_t n = strlen(text); //~ uninit-read
    free(text);
    return n > 64;
}
