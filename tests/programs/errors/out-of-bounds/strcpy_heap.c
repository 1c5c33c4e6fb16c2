// strcpy copies a text that is longer than the heap buffer sized for another one.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct label {
    char *text;
};

static void set(struct label *l, const char *s)
{
    strcpy(l->text, s); //~ out-of-bounds
}

int main(void)
{
    struct label l = { malloc(8) };
    if (!l.text)
        return 1;
    set(&l, "short");
    printf("%s\n", l.text);
    set(&l, "too long for it");
    free(l.text);
    return 0;
}
