// memcpy reads more bytes than the global source string has.
// sanitizer: address
#include <stdio.h>
#include <string.h>

static char greeting[] = "hi";

int main(void)
{
    char buffer[32];
    memset(buffer, 0, sizeof buffer);
    memcpy(buffer, greeting, sizeof greeting);
    printf("%s\n", buffer);
    size_t wanted = sizeof buffer / 2;
    memcpy(buffer, greeting, wanted); //~ out-of-bounds
    return buffer[0] != 'h';
}
