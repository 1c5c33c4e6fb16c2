// container_of: intrusive list nodes embedded in larger structs, recovered by negative offsets from a member's address.
#include <stdio.h>
#include <stddef.h>
#include <stdlib.h>

#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

struct link {
    struct link *next, *prev;
};

struct task {
    int id;
    struct link by_id;
    char priority;
    struct link by_priority;
};

static void init(struct link *head) { head->next = head->prev = head; }

static void insert_before(struct link *at, struct link *n)
{
    n->next = at;
    n->prev = at->prev;
    at->prev->next = n;
    at->prev = n;
}

static void unlink_node(struct link *n)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
}

static void insert_sorted(struct link *head, struct task *t)
{
    struct link *at = head->next;
    while (at != head && container_of(at, struct task, by_priority)->priority <= t->priority)
        at = at->next;
    insert_before(at, &t->by_priority);
}

int main(void)
{
    struct link ids, priorities;
    init(&ids);
    init(&priorities);
    const char *order = "hcafbhd";
    for (int i = 0; order[i]; i++) {
        struct task *t = malloc(sizeof *t);
        if (!t)
            return 99;
        t->id = i;
        t->priority = order[i];
        insert_before(&ids, &t->by_id);
        insert_sorted(&priorities, t);
    }
    for (struct link *l = ids.next; l != &ids; l = l->next) {
        struct task *t = container_of(l, struct task, by_id);
        printf("%d%c ", t->id, t->priority);
    }
    putchar('\n');
    for (struct link *l = priorities.prev; l != &priorities; l = l->prev) {
        struct task *t = container_of(l, struct task, by_priority);
        printf("%c%d ", t->priority, t->id);
    }
    putchar('\n');
    printf("offsets %zu %zu %zu\n", offsetof(struct task, by_id), offsetof(struct task, by_priority.prev),
           sizeof(struct task));
    int checksum = 0;
    while (priorities.next != &priorities) {
        struct task *t = container_of(priorities.next, struct task, by_priority);
        unlink_node(&t->by_priority);
        unlink_node(&t->by_id);
        checksum = checksum * 3 + t->id;
        free(t);
    }
    printf("checksum %d, ids empty %d\n", checksum, ids.next == &ids);
    return checksum & 0x7f;
}
