// Assertions that hold, static assertions, and NDEBUG-like checks written by hand that count their evaluations.
#include <assert.h>
#include <stdio.h>
#include <stddef.h>

static int evaluations;

static int truth(int v)
{
    evaluations++;
    return v;
}

struct queue {
    int items[8];
    unsigned head, length;
};

static void check(const struct queue *q)
{
    assert(q != NULL);
    assert(q->length <= 8);
    assert(q->head < 8 && "the head is inside the ring");
}

static void put(struct queue *q, int v)
{
    check(q);
    assert(q->length < 8);
    q->items[(q->head + q->length++) % 8] = v;
    check(q);
}

static int take(struct queue *q)
{
    assert(q->length > 0);
    int v = q->items[q->head];
    q->head = (q->head + 1) % 8;
    q->length--;
    check(q);
    return v;
}

_Static_assert(sizeof(struct queue) == 40, "eight ints and two counters");

int main(void)
{
    struct queue q = { { 0 }, 5, 0 };
    for (int i = 0; i < 6; i++)
        put(&q, i * i);
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        int v = take(&q);
        assert(v == i * i);
        printf("took %d, %u left\n", v, q.length);
        sum += v;
    }
    for (int i = 0; i < 5; i++)
        put(&q, -i);
    while (q.length)
        sum = sum * 2 + take(&q);
    assert(truth(1));
    assert(truth(2) && truth(3));
    printf("sum %d head %u evaluations %d\n", sum, q.head, evaluations);
    return evaluations;
}
