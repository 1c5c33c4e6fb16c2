// A linked node lives in the frame of a function that returned, and is written through the list.
// sanitizer: address
#include <stdio.h>

struct node {
    int value;
    struct node *next;
};

static void prepend(struct node **head, int value)
{
    struct node n = { value, *head };
    *head = &n;
    printf("head %d\n", (*head)->value);
}

int main(void)
{
    struct node *list = NULL;
    prepend(&list, 3);
    list->value = 4; //~ use-after-scope
    return 0;
}
