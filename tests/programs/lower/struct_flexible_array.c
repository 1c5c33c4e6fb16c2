// Flexible array members: allocation with a tail, growth by realloc, copies of the tail, and arrays of such pointers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>

struct text {
    unsigned short length;
    char tag;
    char bytes[];
};

struct numbers {
    int count, capacity;
    double values[];
};

static struct text *make_text(char tag, const char *s)
{
    size_t n = strlen(s);
    struct text *t = malloc(offsetof(struct text, bytes) + n + 1);
    if (!t)
        exit(99);
    t->length = (unsigned short)n;
    t->tag = tag;
    memcpy(t->bytes, s, n + 1);
    return t;
}

static struct text *join(const struct text *a, const struct text *b)
{
    struct text *t = malloc(sizeof *t + a->length + b->length + 1u);
    if (!t)
        exit(99);
    t->length = (unsigned short)(a->length + b->length);
    t->tag = '+';
    memcpy(t->bytes, a->bytes, a->length);
    memcpy(t->bytes + a->length, b->bytes, b->length + 1u);
    return t;
}

static struct numbers *append(struct numbers *n, double v)
{
    if (!n || n->count == n->capacity) {
        int capacity = n ? n->capacity * 2 : 2, count = n ? n->count : 0;
        n = realloc(n, sizeof *n + (size_t)capacity * sizeof n->values[0]);
        if (!n)
            exit(99);
        n->capacity = capacity;
        n->count = count;
    }
    n->values[n->count++] = v;
    return n;
}

int main(void)
{
    printf("sizes %zu %zu offsets %zu %zu\n", sizeof(struct text), sizeof(struct numbers), offsetof(struct text, bytes),
           offsetof(struct numbers, values));
    struct text *parts[3] = { make_text('a', "flexible"), make_text('b', " "), make_text('c', "tail") };
    struct text *half = join(parts[0], parts[1]), *whole = join(half, parts[2]);
    printf("%c %u %s\n", whole->tag, whole->length, whole->bytes);
    whole->bytes[0] ^= 0x20;
    printf("%s %c\n", whole->bytes, whole->bytes[whole->length - 1]);

    struct numbers *n = NULL;
    for (int i = 0; i < 9; i++)
        n = append(n, i * 0.5 - 1);
    double sum = 0;
    for (int i = 0; i < n->count; i++)
        sum += n->values[i] * n->values[i];
    printf("count %d capacity %d sum %.3f\n", n->count, n->capacity, sum);
    int status = n->capacity + whole->length;
    for (int i = 0; i < 3; i++)
        free(parts[i]);
    free(half);
    free(whole);
    free(n);
    return status;
}
