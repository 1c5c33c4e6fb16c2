// Looks like out-of-bounds: string and memory functions fill their buffers exactly to the last byte.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct packet {
    unsigned char length;
    unsigned char payload[16];
};

int main(void)
{
    char exact[6], *heap = malloc(9);
    if (!heap)
        return 1;
    strcpy(exact, "12345");
    strcpy(heap, "1234");
    strcat(heap, "5678");
    printf("%s %s\n", exact, heap);
    struct packet p = { 16, { 0 } };
    unsigned char buffer[16];
    memset(p.payload, 7, p.length);
    memcpy(buffer, p.payload, p.length);
    printf("%d\n", buffer[15]);
    char letters[4];
    memcpy(letters, "ABCD", 4);
    printf("%.4s\n", letters);
    strncpy(exact, "overlong", sizeof exact);
    printf("%.*s\n", (int)sizeof exact, exact);
    free(heap);
    return 0;
}
