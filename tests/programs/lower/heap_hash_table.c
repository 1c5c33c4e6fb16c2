// A hash table with chains that grows: string keys copied to the heap, rehashing, lookup, deletion, iteration in order.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>

struct entry {
    char *key;
    int value;
    struct entry *next;
};

struct table {
    struct entry **buckets;
    size_t size, used;
};

static uint32_t hash(const char *s)
{
    uint32_t h = 5381;
    while (*s)
        h = h * 33 ^ (unsigned char)*s++;
    return h;
}

static void grow(struct table *t)
{
    size_t size = t->size ? t->size * 2 : 4;
    struct entry **buckets = calloc(size, sizeof *buckets);
    if (!buckets)
        abort();
    for (size_t i = 0; i < t->size; i++)
        for (struct entry *e = t->buckets[i], *next; e; e = next) {
            next = e->next;
            struct entry **slot = &buckets[hash(e->key) & (size - 1)];
            e->next = *slot;
            *slot = e;
        }
    free(t->buckets);
    t->buckets = buckets;
    t->size = size;
}

static struct entry **locate(struct table *t, const char *key)
{
    struct entry **e = &t->buckets[hash(key) & (t->size - 1)];
    while (*e && strcmp((*e)->key, key))
        e = &(*e)->next;
    return e;
}

static int *slot_for(struct table *t, const char *key)
{
    if (t->used >= t->size)
        grow(t);
    struct entry **e = locate(t, key);
    if (!*e) {
        *e = calloc(1, sizeof **e);
        if (!*e || !((*e)->key = strdup(key)))
            abort();
        t->used++;
    }
    return &(*e)->value;
}

static int drop(struct table *t, const char *key)
{
    struct entry **e = locate(t, key), *gone = *e;
    if (!gone)
        return 0;
    *e = gone->next;
    free(gone->key);
    free(gone);
    t->used--;
    return 1;
}

int main(void)
{
    struct table t = { NULL, 0, 0 };
    char text[] = "it was the best of times it was the worst of times it was the age of wisdom it was the age of "
                  "foolishness";
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        ++*slot_for(&t, word);
    printf("used %zu size %zu\n", t.used, t.size);
    printf("it %d was %d age %d\n", *slot_for(&t, "it"), *slot_for(&t, "was"), *slot_for(&t, "age"));
    printf("dropped %d %d\n", drop(&t, "best"), drop(&t, "missing"));
    int checksum = 0;
    for (size_t i = 0; i < t.size; i++) {
        printf("%zu:", i);
        for (struct entry *e = t.buckets[i]; e; e = e->next) {
            printf(" %s=%d", e->key, e->value);
            checksum = checksum * 7 % 1009 + e->value;
        }
        putchar('\n');
        while (t.buckets[i])
            drop(&t, t.buckets[i]->key);
    }
    printf("left %zu checksum %d\n", t.used, checksum);
    free(t.buckets);
    return checksum & 0x7f;
}
