// strcat appends to a local array that is already nearly full.
// sanitizer: address
#include <stdio.h>
#include <string.h>

static void extend(char *path, const char *part)
{
    strcat(path, part); //~ out-of-bounds
}

int main(void)
{
    char path[12] = "/usr";
    extend(path, "/bin");
    printf("%s\n", path);
    extend(path, "/clang");
    return path[0] != '/';
}
