/* A small program with a bug in it: if `malloc` fails while the list is copied, a null pointer is written to. */
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *cons(int value, struct node *next)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = next;
    return node;
}

struct node *reversed(const struct node *list)
{
    struct node *result = NULL;
    for (; list; list = list->next)
        result = cons(list->value, result);
    return result;
}
