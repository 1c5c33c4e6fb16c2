// Memory from alloca is freed as if it came from malloc.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int measure(const char *s)
{
    char *copy = __builtin_alloca(strlen(s) + 1);
    strcpy(copy, s);
    copy[0] = '#';
    int length = (int)strlen(copy);
    printf("%s\n", copy);
    free(copy); //~ invalid-free
    return length;
}

int main(void)
{
    return measure("text") != 4;
}
