// Low bits of aligned pointers carry tags: set, read, cleared, and a tagged tree that is walked through them.
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>

struct leaf {
    _Alignas(8) long value;
};

struct inner {
    uintptr_t left, right;
};

enum { TAG_LEAF = 1, TAG_MARK = 2, TAG_MASK = 7 };

static uintptr_t make_leaf(long value)
{
    struct leaf *l = malloc(sizeof *l);
    if (!l)
        exit(99);
    l->value = value;
    return (uintptr_t)l | TAG_LEAF;
}

static uintptr_t make_inner(uintptr_t left, uintptr_t right)
{
    struct inner *n = malloc(sizeof *n);
    if (!n)
        exit(99);
    n->left = left;
    n->right = right;
    return (uintptr_t)n;
}

static void *untag(uintptr_t p) { return (void *)(p & ~(uintptr_t)TAG_MASK); }

static uintptr_t build(int depth, long *counter)
{
    if (depth == 0)
        return make_leaf((*counter)++);
    uintptr_t left = build(depth - 1, counter);
    uintptr_t right = build(depth - 1 - (depth > 2), counter);
    return make_inner(left, right);
}

static long mark(uintptr_t *link)
{
    uintptr_t p = *link;
    if (p & TAG_LEAF) {
        struct leaf *l = untag(p);
        if (l->value % 3 == 0)
            *link |= TAG_MARK;
        return l->value;
    }
    struct inner *n = untag(p);
    return mark(&n->left) * 3 + mark(&n->right);
}

static int release(uintptr_t p)
{
    int marks = p & TAG_MARK ? 1 : 0;
    if (!(p & TAG_LEAF)) {
        struct inner *n = untag(p);
        marks += release(n->left) + release(n->right);
    } else {
        printf("leaf %ld tag %d\n", ((struct leaf *)(p - (p & TAG_MASK)))->value, (int)(p & TAG_MASK));
    }
    free(untag(p));
    return marks;
}

int main(void)
{
    long counter = 0;
    uintptr_t root = build(5, &counter);
    printf("leaves %ld aligned %d\n", counter, (int)(root & 7));
    printf("hash %ld\n", mark(&root));
    int marks = release(root);
    printf("marks %d\n", marks);
    return marks;
}
