// The result of a function that returns an owned string is only printed.
// sanitizer: leak
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(const char *a, const char *b)
{
    char *s = malloc(strlen(a) + strlen(b) + 1); //~ memory-leak
    if (!s)
        exit(1);
    strcpy(s, a);
    strcat(s, b);
    return s;
}

static int show(void) { return printf("%s\n", join("left", "right")); }

int main(void)
{
    int n = show();
    return n != 10;
}
