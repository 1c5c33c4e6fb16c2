// Looks like invalid-free: a cursor moves through the block, but the base or the recovered container is freed.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct link {
    struct link *next;
};

struct task {
    int id;
    struct link link;
};

int main(void)
{
    char *base = strdup("2024abc"), *cursor = base;
    if (!base)
        return 1;
    while (*cursor >= '0' && *cursor <= '9')
        cursor++;
    printf("%td %s\n", cursor - base, cursor);
    free(cursor - 4);
    struct task *t = malloc(sizeof *t);
    if (!t)
        return 1;
    t->id = 5;
    struct link *l = &t->link;
    struct task *back = (struct task *)((char *)l - offsetof(struct task, link));
    printf("%d\n", back->id);
    free(back);
    return 0;
}
