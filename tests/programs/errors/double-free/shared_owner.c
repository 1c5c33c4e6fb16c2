// Two structs were given the same block, and both destroy it.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name {
    char *text;
    int length;
};

static struct name make(const char *s)
{
    struct name n = { strdup(s), (int)strlen(s) };
    return n;
}

static void destroy(struct name *n)
{
    free(n->text); //~ double-free
    n->text = NULL;
}

int main(void)
{
    struct name a = make("shared"), b = a;
    printf("%s %d\n", b.text, b.length);
    destroy(&a);
    destroy(&b);
    return 0;
}
