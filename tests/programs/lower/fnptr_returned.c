// Function pointers as values: returned, composed, passed as callbacks with context, kept in a void pointer.
#include <stdio.h>
#include <stdlib.h>

typedef int (*unary)(int);
typedef void (*visitor)(int value, void *context);

static int increment(int v) { return v + 1; }
static int twice(int v) { return v * 2; }
static int negate(int v) { return -v; }

static unary choose(int which)
{
    static const unary table[3] = { increment, twice, negate };
    return which < 3 ? table[which] : NULL;
}

static int (*(*chooser(void))(int))(int) { return choose; }

static int apply_all(unary *chain, int n, int v)
{
    for (int i = 0; i < n; i++)
        v = chain[i](v);
    return v;
}

static int fold(const int *a, int n, int start, int (*f)(int, int))
{
    for (int i = 0; i < n; i++)
        start = f(start, a[i]);
    return start;
}

static int horner(int acc, int v) { return acc * 3 + v; }
static int max(int a, int b) { return a > b ? a : b; }

static void for_each(const int *a, int n, visitor visit, void *context)
{
    while (n--)
        visit(*a++, context);
}

struct statistics { int count; long sum; };

static void gather(int value, void *context)
{
    struct statistics *s = context;
    s->count++;
    s->sum += value;
}

static void show(int value, void *context) { printf("%s%d", (const char *)context, value); }

static int depth;
static int descend(int n, unary at_bottom)
{
    depth++;
    return n ? descend(n - 1, at_bottom) + 1 : at_bottom(depth);
}

static void register_callback(unary f, unary *slot) { *slot = f; }

int main(void)
{
    unary chain[5];
    for (int i = 0; i < 5; i++)
        chain[i] = choose(i * 2 % 3);
    printf("chain %d, past the table %d\n", apply_all(chain, 5, 5), choose(3) == NULL);
    printf("chooser %d %d\n", chooser()(1)(21), (*chooser())(2)(21));
    int data[] = { 4, 8, 15, 16, 23, 42 };
    printf("fold %d %d\n", fold(data, 6, 0, horner), fold(data, 6, -1, max));
    struct statistics s = { 0, 0 };
    for_each(data, 6, gather, &s);
    for_each(data, 6, show, " ");
    printf("\nstatistics %d %ld\n", s.count, s.sum);
    printf("descend %d\n", descend(6, twice));
    unary slot = NULL;
    register_callback(negate, &slot);
    printf("slot %d\n", slot ? slot(9) : 0);
    void *opaque = (void *)slot;
    printf("opaque %d\n", ((unary)opaque)(-11));
    return descend(2, increment) + (int)s.sum;
}
