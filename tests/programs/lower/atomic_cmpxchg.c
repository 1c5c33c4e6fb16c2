// Compare-and-exchange: strong and weak, success and failure, the expected value written back, and retry loops.
#include <stdio.h>
#include <stdatomic.h>
#include <stdint.h>

static int try_swap(_Atomic int *cell, int expected, int desired)
{
    int seen = expected;
    int done = atomic_compare_exchange_strong(cell, &seen, desired);
    printf("swap %d -> %d: %d, seen %d, now %d\n", expected, desired, done, seen, atomic_load(cell));
    return done;
}

static unsigned char raise_to(_Atomic unsigned char *cell, unsigned char wanted)
{
    unsigned char seen = atomic_load_explicit(cell, memory_order_relaxed);
    while (seen < wanted && !atomic_compare_exchange_weak_explicit(cell, &seen, wanted, memory_order_acq_rel,
                                                                   memory_order_relaxed))
        ;
    return atomic_load(cell);
}

static uint64_t multiply(_Atomic uint64_t *cell, uint64_t factor)
{
    uint64_t old = *cell;
    while (!atomic_compare_exchange_weak(cell, &old, old * factor))
        ;
    return old;
}

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) stack;

static void push(struct node *n)
{
    n->next = atomic_load(&stack);
    while (!atomic_compare_exchange_weak(&stack, &n->next, n))
        ;
}

static struct node *pop(void)
{
    struct node *top = atomic_load(&stack);
    while (top && !atomic_compare_exchange_weak(&stack, &top, top->next))
        ;
    return top;
}

int main(void)
{
    _Atomic int cell = 5;
    int done = try_swap(&cell, 5, 6);
    done = done * 2 + try_swap(&cell, 5, 7);
    done = done * 2 + try_swap(&cell, 6, -1);
    _Atomic unsigned char level = 10;
    printf("raise %d", raise_to(&level, 50));
    printf(" %d", raise_to(&level, 20));
    printf(" %d\n", raise_to(&level, 255));
    _Atomic uint64_t product = 3;
    for (int i = 0; i < 4; i++)
        printf("multiply %llu\n", (unsigned long long)multiply(&product, 1000003));
    printf("product %llx\n", (unsigned long long)product);

    short narrow = -2, expected = 8;
    int ok = __atomic_compare_exchange_n(&narrow, &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    printf("narrow %d %d %d\n", ok, narrow, expected);
    ok = __sync_bool_compare_and_swap(&narrow, -2, 300);
    short old = __sync_val_compare_and_swap(&narrow, 300, 301);
    printf("sync %d %d old %d\n", ok, narrow, old);
    float real = 1.0f, want = 1.0f, set = 2.5f;
    ok = __atomic_compare_exchange(&real, &want, &set, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf("float %d %g\n", ok, (double)real);

    struct node nodes[4];
    for (int i = 0; i < 4; i++) {
        nodes[i].value = i * i;
        push(&nodes[i]);
    }
    int order = 0;
    for (struct node *n; (n = pop());)
        order = order * 10 + n->value;
    printf("order %d empty %d\n", order, pop() == NULL);
    return done;
}
