// One member of a struct from malloc is left unset and decides a loop's bound.
// sanitizer: memory
#include <stdio.h>
#include <stdlib.h>

struct series {
    int start;
    int count;
};

static struct series *make(int start)
{
    struct series *s = malloc(sizeof *s);
    if (!s)
        exit(1);
    s->start = start;
    return s;
}

int main(void)
{
    struct series *s = make(5);
    int sum = s->start;
    for (int i = 0; i < s->count; i++) { //~ uninit-read
        sum += i;
        if (i > 3)
            break;
    }
    printf("%d\n", sum);
    free(s);
    return 0;
}
