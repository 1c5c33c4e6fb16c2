// A destructor frees the default name of a struct, which is a static array that was never replaced by a copy.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    int level;
    char *name;
};

static struct options defaults(void)
{
    static char name[] = "default";
    struct options o = { 1, name };
    return o;
}

static void release(struct options *o)
{
    if (o->level > 0)
        free(o->name); //~ invalid-free
    o->name = NULL;
}

int main(void)
{
    struct options own = { 2, strdup("own") }, standard = defaults();
    printf("%s %s\n", own.name, standard.name);
    release(&own);
    release(&standard);
    return 0;
}
