// Looks like null-deref: every pointer that may be null is tested before it is used, free of null is allowed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

static int second_value(const struct node *n)
{
    return n && n->next ? n->next->value : -1;
}

static size_t extension_length(const char *path)
{
    const char *dot = strchr(path, '.');
    return dot ? strlen(dot) : 0;
}

int main(void)
{
    struct node b = { 2, NULL }, a = { 1, &b };
    printf("%d %d %d\n", second_value(&a), second_value(&b), second_value(NULL));
    printf("%zu %zu\n", extension_length("a.txt"), extension_length("none"));
    char *nothing = NULL;
    free(nothing);
    int *p = &a.next->value;
    printf("%d\n", *p);
    return 0;
}
