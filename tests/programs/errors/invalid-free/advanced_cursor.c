// A parser advances the only pointer to its text and frees where it stopped.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count_digits(char *text)
{
    int digits = 0;
    while (*text >= '0' && *text <= '9') {
        digits++;
        text++;
    }
    free(text); //~ invalid-free
    return digits;
}

int main(void)
{
    char *text = strdup("2024abc");
    if (!text)
        return 1;
    printf("%d\n", count_digits(text));
    return 0;
}
