// Looks like uninit-read: uninitialized bytes are copied with their struct and masked away, but never decide anything.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    char tag;
    int number;
    char spare[16];
};

int main(void)
{
    struct record a, b;
    a.tag = 'r';
    a.number = 12;
    memcpy(&b, &a, sizeof b);
    a = b;
    printf("%c %d\n", a.tag, b.number);
    unsigned char *bytes = malloc(32);
    if (!bytes)
        return 1;
    bytes[0] = 0xf0;
    unsigned char copy[32];
    memmove(copy, bytes, 32);
    copy[1] &= 0;
    if (copy[1] == 0 && copy[0] == 0xf0)
        printf("masked\n");
    free(bytes);
    return 0;
}
