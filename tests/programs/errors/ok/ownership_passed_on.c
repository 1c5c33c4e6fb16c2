// Looks like memory-leak: blocks change hands through returns, members, tagged integers and cycles, all are freed.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *peer;
    char *text;
};

static struct node *make(void)
{
    struct node *n = calloc(1, sizeof *n);
    if (!n)
        exit(1);
    return n;
}

int main(void)
{
    struct node *a = make(), *b = make();
    a->peer = b;
    b->peer = a;
    a->text = malloc(8);
    if (!a->text)
        return 1;
    snprintf(a->text, 8, "owned");
    b->text = a->text;
    a->text = NULL;
    uintptr_t tagged = (uintptr_t)a | 1;
    a = NULL;
    printf("%s\n", b->text);
    free(b->text);
    free((void *)(tagged - 1));
    free(b);
    return 0;
}
