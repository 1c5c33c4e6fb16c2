// Linked lists on the heap: push, reverse, insert sorted, merge sort, removal while walking, and complete release.
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
        abort();
    n->value = value;
    n->next = head;
    return n;
}

static struct node *reverse(struct node *head)
{
    struct node *done = NULL;
    while (head) {
        struct node *next = head->next;
        head->next = done;
        done = head;
        head = next;
    }
    return done;
}

static struct node *merge(struct node *a, struct node *b)
{
    struct node *head = NULL, **tail = &head;
    while (a && b) {
        struct node **smaller = a->value <= b->value ? &a : &b;
        *tail = *smaller;
        tail = &(*smaller)->next;
        *smaller = (*smaller)->next;
    }
    *tail = a ? a : b;
    return head;
}

static struct node *sort(struct node *head)
{
    if (!head || !head->next)
        return head;
    struct node *slow = head, *fast = head->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct node *second = slow->next;
    slow->next = NULL;
    return merge(sort(head), sort(second));
}

static int remove_duplicates(struct node *n)
{
    int removed = 0;
    while (n && n->next) {
        if (n->value == n->next->value) {
            struct node *gone = n->next;
            n->next = gone->next;
            free(gone);
            removed++;
        } else {
            n = n->next;
        }
    }
    return removed;
}

static void show(const struct node *n)
{
    for (; n; n = n->next)
        printf("%d%s", n->value, n->next ? "," : "\n");
}

int main(void)
{
    struct node *list = NULL;
    unsigned seed = 7;
    for (int i = 0; i < 20; i++) {
        seed = seed * 75 + 74;
        list = push(list, (int)(seed % 13));
    }
    show(list);
    list = reverse(list);
    show(list);
    list = sort(list);
    show(list);
    int removed = remove_duplicates(list);
    show(list);
    printf("removed %d\n", removed);
    int length = 0;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
        length++;
    }
    return length * 10 + removed;
}
