// An error path returns without freeing the buffer that the normal path frees.
// sanitizer: leak
#include <stdio.h>
#include <stdlib.h>

static int parse(const char *s)
{
    int *digits = calloc(16, sizeof *digits); //~ memory-leak
    if (!digits)
        return -1;
    int n = 0;
    for (; *s; s++) {
        if (*s < '0' || *s > '9')
            return -2;
        digits[n++] = *s - '0';
    }
    int sum = 0;
    while (n > 0)
        sum += digits[--n];
    free(digits);
    return sum;
}

int main(void)
{
    printf("%d\n", parse("12345"));
    printf("%d\n", parse("12x45"));
    return 0;
}
