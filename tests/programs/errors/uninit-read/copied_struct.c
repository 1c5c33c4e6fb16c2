// memcpy copies a partly set struct; the unset member is tested in the copy.
// sanitizer: memory
#include <stdio.h>
#include <string.h>

struct request {
    int kind;
    int urgent;
    char name[8];
};

static void fill(struct request *r, const char *name)
{
    r->kind = 3;
    strncpy(r->name, name, sizeof r->name);
}

int main(void)
{
    struct request original, copy;
    fill(&original, "print");
    memcpy(&copy, &original, sizeof copy);
    printf("%d %s\n", copy.kind, copy.name);
    if (copy.urgent) //~ uninit-read
        printf("urgent\n");
    return 0;
}
