// A list that owns its elements is sorted and loses its doubles: the elements move to another list or are freed (librdkafka, `rd_list_deduplicate`).
#include <stdlib.h>
#include <string.h>

struct list { int size, cnt; void **elems; void (*free_cb)(void *); int flags; };

static struct list *list_new(int size, void (*free_cb)(void *))
{
    struct list *l = calloc(1, sizeof *l);
    if (!l)
        abort();
    if (size > 0) {
        l->size = size;
        l->elems = malloc(sizeof *l->elems * size);
        if (!l->elems)
            abort();
    }
    l->free_cb = free_cb;
    return l;
}

static void list_add(struct list *l, void *e)
{
    if (l->cnt == l->size) {
        l->size = l->size ? 2 * l->size : 16;
        l->elems = realloc(l->elems, sizeof *l->elems * l->size);
        if (!l->elems)
            abort();
    }
    if (e)
        l->elems[l->cnt++] = e;
}

static void *list_elem(const struct list *l, int i) { return i < l->cnt ? l->elems[i] : 0; }

static void list_destroy(struct list *l)
{
    if (l->elems) {
        if (l->free_cb)
            for (int i = l->cnt - 1; i >= 0; i--)
                if (l->elems[i])
                    l->free_cb(l->elems[i]);
        free(l->elems);
    }
    free(l);
}

static int cmp(const void *a, const void *b) { return strcmp(*(char **)a, *(char **)b); }

static void list_sort(struct list *l)
{
    qsort(l->elems, l->cnt, sizeof *l->elems, cmp);
    l->flags |= 1;
}

static void without_doubles(struct list **l)
{
    struct list *d = list_new(0, (*l)->free_cb);
    void *e, *prev = 0;
    int i;
    if (!((*l)->flags & 1))
        list_sort(*l);
    for (i = 0; (e = list_elem(*l, i)); i++) {
        if (prev && strcmp(e, prev) == 0) {
            if ((*l)->free_cb)
                (*l)->free_cb(e);
            continue;
        }
        list_add(d, e);
        prev = e;
    }
    (*l)->free_cb = 0;
    list_destroy(*l);
    d->flags |= 1;
    *l = d;
}

int one_ok(const char *a)
{
    struct list *l = list_new(4, free);
    list_add(l, strdup(a));
    without_doubles(&l);
    int n = l->cnt;
    list_destroy(l);
    return n;
}

int two_ok(const char *a, const char *b)
{
    struct list *l = list_new(4, free);
    list_add(l, strdup(a));
    list_add(l, strdup(b));
    without_doubles(&l);
    int n = l->cnt;
    list_destroy(l);
    return n;
}

static void empty(struct list **l)
{
    struct list *d = list_new(0, 0);
    (*l)->free_cb = 0;
    list_destroy(*l);
    *l = d;
}

int lost_bad(const char *a)
{
    struct list *l = list_new(4, free);
    list_add(l, strdup(a)); //~ memory-leak
    empty(&l);
    int n = l->cnt;
    list_destroy(l);
    return n;
}
