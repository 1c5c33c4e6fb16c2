// A list is released node by node, and the next pointer is read from the node just freed.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *head, int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->value = value;
    n->next = head;
    return n;
}

int main(void)
{
    struct node *list = push(NULL, 1);
    printf("%d\n", list->value);
    for (struct node *n = list; n;) {
        free(n);
        n = n->next; //~ use-after-free
    }
    return 0;
}
