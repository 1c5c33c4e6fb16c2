// A binary search tree on the heap: insertion, lookup, deletion with successors, traversals, height, and a copied tree.
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key, count;
    struct tree *child[2];
};

static int live;

static struct tree *insert(struct tree *t, int key)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        if (!t)
            abort();
        t->key = key;
        t->count = 1;
        live++;
    } else if (key == t->key) {
        t->count++;
    } else {
        int side = key > t->key;
        t->child[side] = insert(t->child[side], key);
    }
    return t;
}

static struct tree *erase(struct tree *t, int key)
{
    if (!t)
        return NULL;
    if (key != t->key) {
        int side = key > t->key;
        t->child[side] = erase(t->child[side], key);
        return t;
    }
    if (t->child[0] && t->child[1]) {
        struct tree *successor = t->child[1];
        while (successor->child[0])
            successor = successor->child[0];
        t->key = successor->key;
        t->count = successor->count;
        t->child[1] = erase(t->child[1], successor->key);
        return t;
    }
    struct tree *only = t->child[0] ? t->child[0] : t->child[1];
    free(t);
    live--;
    return only;
}

static void in_order(const struct tree *t)
{
    if (!t)
        return;
    in_order(t->child[0]);
    printf("%d:%d ", t->key, t->count);
    in_order(t->child[1]);
}

static int height(const struct tree *t)
{
    if (!t)
        return 0;
    int l = height(t->child[0]), r = height(t->child[1]);
    return 1 + (l > r ? l : r);
}

static struct tree *mirror(const struct tree *t)
{
    if (!t)
        return NULL;
    struct tree *m = malloc(sizeof *m);
    if (!m)
        abort();
    live++;
    *m = *t;
    m->child[0] = mirror(t->child[1]);
    m->child[1] = mirror(t->child[0]);
    return m;
}

static void release(struct tree *t)
{
    if (t) {
        release(t->child[0]);
        release(t->child[1]);
        free(t);
        live--;
    }
}

int main(void)
{
    struct tree *root = NULL;
    for (int i = 1; i <= 25; i++)
        root = insert(root, i * i * 7 % 31);
    in_order(root);
    printf("\nheight %d live %d\n", height(root), live);
    int gone[] = { 7, 28, 1, 100, 19 };
    for (int i = 0; i < 5; i++)
        root = erase(root, gone[i]);
    in_order(root);
    struct tree *m = mirror(root);
    putchar('\n');
    in_order(m);
    printf("\nheight %d live %d\n", height(m), live);
    release(root);
    release(m);
    printf("live %d\n", live);
    return height(NULL) + live;
}
