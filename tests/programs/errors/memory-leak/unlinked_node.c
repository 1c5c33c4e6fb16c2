// A node is unlinked from a list and not freed, while the rest of the list is.
// sanitizer: leak
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *cons(int value, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->value = value;
    n->next = next;
    return n;
}

static struct node *marker(struct node *next)
{
    struct node *n = calloc(1, sizeof *n); //~ memory-leak
    if (!n)
        exit(1);
    n->next = next;
    return n;
}

static int consume(struct node *head)
{
    int sum = 0;
    head->next = head->next->next;
    while (head) {
        struct node *next = head->next;
        sum += head->value;
        free(head);
        head = next;
    }
    return sum;
}

int main(void)
{
    printf("%d\n", consume(cons(1, marker(cons(2, cons(3, NULL))))));
    return 0;
}
