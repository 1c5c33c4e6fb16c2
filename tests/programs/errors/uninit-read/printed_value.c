// A value that no path assigned is printed.
// sanitizer: memory
#include <stdio.h>
#include <string.h>

static void convert(const char *s, int *out)
{
    if (strcmp(s, "one") == 0)
        *out = 1;
    else if (strcmp(s, "two") == 0)
        *out = 2;
}

int main(void)
{
    int a, b;
    convert("two", &a);
    printf("%d\n", a);
    convert("three", &b);
    printf("%d\n", b); //~ uninit-read
    return 0;
}
