// Address constants in initializers: &a[3].b, negative offsets, differences, casts, strings with offsets, cycles.
#include <stdio.h>
#include <stdint.h>
#include <stddef.h>

struct entry {
    short key;
    struct {
        int a, b;
    } body;
    char tag[6];
};

static struct entry entries[5] = { [1].body.b = 11, [3] = { 30, { 31, 32 }, "three" }, [4].tag = "last" };

static int *to_member = &entries[3].body.b;
static char *to_char = &entries[3].tag[2];
static char *past_end = entries[4].tag + sizeof entries[4].tag;
static struct entry *last = &entries[5] - 1;
static short *key = &(entries + 3)->key;
static void *untyped = &entries[1].body;
static const char *suffix = &"constant text"[9];
static const char *middle = &"0123456789"[4];
static const ptrdiff_t distance = &entries[4] - &entries[1];
static const ptrdiff_t member_distance = offsetof(struct entry, tag) - offsetof(struct entry, body.b);
static uintptr_t as_integer = (uintptr_t)&entries[2];

struct ring {
    struct ring *next, **back;
    int id;
};

static struct ring rings[3] = {
    { &rings[1], &rings[2].next, 1 },
    { &rings[2], &rings[0].next, 2 },
    { &rings[0], &rings[1].next, 3 },
};

static void *self = &self;
static int matrix[4][6] = { [2] = { 20, 21, 22, 23, 24, 25 } };
static int (*row)[6] = &matrix[2];
static int *cell = &matrix[2][0] + 3;
static int **indirect = &cell;
static const union {
    const char *s;
    uintptr_t u;
} pun = { "pun" };

int main(void)
{
    printf("member %d %c key %d last %s\n", *to_member, *to_char, *key, last->tag);
    printf("past %d\n", (int)(past_end - (char *)entries));
    printf("untyped %d\n", ((int *)untyped)[1]);
    printf("strings %s %s\n", suffix, middle);
    printf("distances %td %td\n", distance, member_distance);
    printf("integer %d\n", as_integer == (uintptr_t)(entries + 2));
    struct ring *r = rings;
    for (int i = 0; i < 5; i++, r = r->next)
        printf("ring %d back %d\n", r->id, (*r->back)->id);
    printf("self %d\n", self == (void *)&self);
    printf("matrix %d %d %d\n", (*row)[5], *cell, **indirect);
    ++*indirect;
    printf("moved %d %s\n", *cell, pun.s);
    *to_member += 100;
    printf("changed %d\n", entries[3].body.b);
    return *cell;
}
