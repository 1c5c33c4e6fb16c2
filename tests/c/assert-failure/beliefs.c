// An assertion about what unknown code does is what the programmer knows of it.
#include <assert.h>

struct item { struct item *next; };
struct queue { struct item *first, *last; };

static struct item *find(const struct queue *q, const struct item *m, int (*compare)(const void *, const void *))
{
    for (struct item *c = q->first; c; c = c->next)
        if (compare(m, c) < 0)
            return c;
    return 0;
}

int insert_ok(struct queue *q, struct item *m, int (*compare)(const void *, const void *))
{
    if (compare(q->last, m) > 0) {
        struct item *c = find(q, m, compare);
        assert(c);
    }
    return 0;
}

int rate(void);

int own_mistake_bad(void)
{
    int n = 0;
    if (rate() > 3)
        n = 1;
    assert(n < 2);
    assert(n > 2); //~ assert-failure
    return n;
}
