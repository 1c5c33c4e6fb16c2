// The only pointer to a block is overwritten by a second allocation; the second block is freed.
// sanitizer: leak
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct holder {
    char *text;
    int version;
};

static void set(struct holder *h, const char *s)
{
    h->text = malloc(strlen(s) + 1);
    if (!h->text)
        exit(1);
    strcpy(h->text, s);
    h->version++;
}

int main(void)
{
    struct holder h = { NULL, 0 };
    h.text = strdup("first version"); //~ memory-leak
    printf("%s\n", h.text);
    set(&h, "second");
    printf("%s %d\n", h.text, h.version);
    free(h.text);
    return 0;
}
