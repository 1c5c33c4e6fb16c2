// A doubly linked list whose nodes keep the exclusive-or of both neighbors' addresses in one integer.
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int value;
    uintptr_t link;
};

struct list {
    struct node *head, *tail;
    int length;
};

static struct node *neighbor(const struct node *n, const struct node *other)
{
    return (struct node *)(n->link ^ (uintptr_t)other);
}

static void push_back(struct list *l, int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(99);
    n->value = value;
    n->link = (uintptr_t)l->tail;
    if (l->tail)
        l->tail->link ^= (uintptr_t)n;
    else
        l->head = n;
    l->tail = n;
    l->length++;
}

static void print_from(const struct node *start)
{
    const struct node *previous = NULL;
    while (start) {
        const struct node *next = neighbor(start, previous);
        printf("%d ", start->value);
        previous = start;
        start = next;
    }
    putchar('\n');
}

static int pop_front(struct list *l)
{
    struct node *n = l->head, *next = neighbor(n, NULL);
    int value = n->value;
    if (next)
        next->link ^= (uintptr_t)n;
    else
        l->tail = NULL;
    l->head = next;
    l->length--;
    free(n);
    return value;
}

int main(void)
{
    struct list l = { NULL, NULL, 0 };
    for (int i = 1; i <= 8; i++)
        push_back(&l, i * i);
    print_from(l.head);
    print_from(l.tail);
    int first = pop_front(&l);
    printf("popped %d, %d left\n", first, l.length);
    struct node *swap = l.head;
    l.head = l.tail;
    l.tail = swap;
    print_from(l.head);
    int sum = 0;
    while (l.length)
        sum = sum * 2 + pop_front(&l);
    printf("sum %d empty %d %d\n", sum, l.head == NULL, l.tail == NULL);
    return sum & 0x7f;
}
