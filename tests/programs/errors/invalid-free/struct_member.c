// The address of an embedded member that is not the first is freed instead of the struct.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

struct link {
    struct link *next;
};

struct task {
    int id;
    struct link link;
};

static struct link *make(int id)
{
    struct task *t = malloc(sizeof *t);
    if (!t)
        exit(1);
    t->id = id;
    t->link.next = NULL;
    return &t->link;
}

int main(void)
{
    struct link *l = make(7);
    printf("%d\n", l->next == NULL);
    free(l); //~ invalid-free
    return 0;
}
