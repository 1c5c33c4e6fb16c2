// An invariant checked after every operation fails when the queue is overfilled.
// sanitizer: assert
#include <assert.h>
#include <stdio.h>

struct queue {
    int items[4];
    unsigned head, length;
};

static void check(const struct queue *q)
{
    assert(q->head < 4);
    assert(q->length <= 4); //~ assert-failure
}

static void put(struct queue *q, int v)
{
    q->items[(q->head + q->length++) % 4] = v;
    check(q);
}

int main(void)
{
    struct queue q = { { 0 }, 2, 0 };
    for (int i = 0; i < 5; i++)
        put(&q, i);
    printf("%u\n", q.length);
    return 0;
}
