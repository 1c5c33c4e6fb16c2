// A freed string is handed to strlen.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *shorten(char *text)
{
    char *copy = strdup(text + 1);
    free(text);
    return copy;
}

int main(void)
{
    char *text = strdup("heading");
    if (!text)
        return 1;
    char *rest = shorten(text);
    printf("%s\n", rest);
    free(rest);
    return (int)strlen(text); //~ use-after-free
}
