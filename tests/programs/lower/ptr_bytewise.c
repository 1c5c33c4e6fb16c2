// Pointers copied byte by byte, through memcpy, through integer arrays, and inside structs, stay usable.
#include <stdio.h>
#include <string.h>
#include <stdint.h>
#include <stdlib.h>

static void copy_bytes(void *to, const void *from, size_t n)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    while (n--)
        *d++ = *s++;
}

struct holder {
    short tag;
    int *target;
    const char *(*name)(int);
};

static const char *parity(int v) { return v & 1 ? "odd" : "even"; }

int main(void)
{
    int value = 77;
    int *original = &value, *copy;
    copy_bytes(&copy, &original, sizeof copy);
    *copy += 1;
    printf("bytes %d\n", value);

    unsigned char store[2 * sizeof(int *)];
    int *heap = malloc(3 * sizeof *heap);
    if (!heap)
        return 99;
    for (int i = 0; i < 3; i++)
        heap[i] = 100 + i;
    memcpy(store + 3, &heap, sizeof heap);
    int *back;
    memcpy(&back, store + 3, sizeof back);
    printf("unaligned store %d %d\n", back[2], back == heap);

    uint32_t halves[2];
    memcpy(halves, &heap, sizeof heap);
    uint32_t exchanged[2] = { halves[1], halves[0] };
    uint32_t restored[2] = { exchanged[1], exchanged[0] };
    memcpy(&back, restored, sizeof back);
    printf("halves %d\n", back[1]);

    uint64_t hidden;
    memcpy(&hidden, &original, sizeof hidden);
    hidden = ~hidden;
    hidden = ~hidden;
    memcpy(&copy, &hidden, sizeof copy);
    printf("integer %d\n", *copy);

    struct holder a = { 5, &value, parity }, b;
    copy_bytes(&b, &a, sizeof b);
    memset(&a, 0, sizeof a);
    printf("struct %d %d %s, zeroed %d %d\n", b.tag, *b.target, b.name(*b.target), a.target == NULL, a.name == NULL);

    int *table[4] = { &heap[0], &heap[1], &heap[2], &value };
    unsigned char *raw = (unsigned char *)table;
    for (size_t i = 0; i < sizeof(int *); i++) {
        unsigned char t = raw[i];
        raw[i] = raw[3 * sizeof(int *) + i];
        raw[3 * sizeof(int *) + i] = t;
    }
    printf("swapped %d %d %d\n", *table[0], *table[1], *table[3]);
    const char *(*call)(int);
    copy_bytes(&call, &b.name, sizeof call);
    printf("call %s %s\n", call(2), call(3));
    free(back);
    return value;
}
