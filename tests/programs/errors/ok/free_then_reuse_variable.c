// Looks like use-after-free: the pointer variable gets a new block before it is used again.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 1;
    free(p);
    p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 2;
    printf("%d\n", *p);
    free(p);
    struct node *head = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            return 1;
        n->value = i;
        n->next = head;
        head = n;
    }
    int sum = 0;
    while (head) {
        struct node *next = head->next;
        sum += head->value;
        free(head);
        head = next;
    }
    printf("%d\n", sum);
    return 0;
}
