// Where new memory lies is nobody's choice: it does not wrap around, and is never what somebody had before.
#include <stdlib.h>

struct head { long words[8]; };
struct space { char *start, *end; };

static struct head *reserve(struct space *s)
{
    char *p = s->start;
    if (p + sizeof(struct head) > s->end)
        return 0;
    s->start += sizeof(struct head);
    return (struct head *)p;
}

static struct head *make_sized(size_t more)
{
    size_t size = sizeof(struct head) + more;
    char *start = malloc(size);
    if (!start)
        return 0;
    struct space s = { start, start + size };
    struct head *h = reserve(&s);
    h->words[0] = 1;
    return h;
}

struct head *small_enough_ok(void)
{
    return make_sized(16);
}

struct node { struct node *child; };

static int add(struct node *parent, struct node *item)
{
    if (!item || !parent || parent == item)
        return 0;
    parent->child = item;
    return 1;
}

int fresh_child_ok(struct node *parent)
{
    if (!parent)
        return 0;
    return add(parent, malloc(sizeof *parent));
}
