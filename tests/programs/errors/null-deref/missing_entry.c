// A lookup that finds nothing returns null, and the caller reads through it.
// sanitizer: undefined
#include <stdio.h>
#include <string.h>

struct entry {
    const char *name;
    int value;
};

static const struct entry table[] = { { "one", 1 }, { "two", 2 } };

static const struct entry *find(const char *name)
{
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

int main(void)
{
    printf("%d\n", find("two")->value);
    const struct entry *e = find("three");
    int value = e->value; //~ null-deref
    printf("%d\n", value);
    return 0;
}
