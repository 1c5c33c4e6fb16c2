// strchr finds nothing, and its null result goes straight into strlen.
// sanitizer: address
#include <stdio.h>
#include <string.h>

static size_t extension_length(const char *path)
{
    const char *dot = strchr(path, '.');
    return strlen(dot); //~ null-deref
}

int main(void)
{
    printf("%zu\n", extension_length("archive.tar"));
    printf("%zu\n", extension_length("Makefile"));
    return 0;
}
