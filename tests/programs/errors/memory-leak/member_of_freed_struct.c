// A struct is freed without the string that its member owns.
// sanitizer: leak
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
    int age;
    char *name;
};

static struct person *make(const char *name, int age)
{
    struct person *p = malloc(sizeof *p);
    if (!p)
        exit(1);
    p->age = age;
    p->name = malloc(strlen(name) + 1); //~ memory-leak
    if (!p->name)
        exit(1);
    strcpy(p->name, name);
    return p;
}

int main(void)
{
    struct person *p = make("Ada", 36);
    printf("%s %d\n", p->name, p->age);
    free(p);
    return 0;
}
