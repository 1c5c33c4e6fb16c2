// memcpy and memset of constant and variable sizes, zero sizes, odd alignments, and memcmp and memchr on the results.
#include <stdio.h>
#include <string.h>
#include <stdint.h>

static uint32_t digest(const void *data, size_t n)
{
    uint32_t h = 2166136261u;
    for (const unsigned char *p = data; n--; p++)
        h = (h ^ *p) * 16777619u;
    return h;
}

static void fill(unsigned char *p, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)(i * seed + (i >> 3));
}

struct block {
    int header;
    unsigned char body[200];
};

int main(void)
{
    unsigned char source[300], target[300];
    fill(source, sizeof source, 7);
    for (size_t n = 0; n <= 300; n = n * 2 + 1) {
        memset(target, 0xAA, sizeof target);
        memcpy(target, source, n);
        printf("copy %zu %08x\n", n, digest(target, sizeof target));
    }
    for (size_t offset = 0; offset < 8; offset++) {
        memset(target, 0, sizeof target);
        memcpy(target + offset, source + 7 - offset, 33);
        memset(target + 100 + offset, (int)(offset * 37), offset * 5);
        printf("offset %zu %08x\n", offset, digest(target, sizeof target));
    }
    int words[10];
    memset(words, -1, sizeof words);
    memset(&words[3], 0x01, 2 * sizeof *words);
    memcpy(&words[6], &words[2], 2 * sizeof *words);
    for (int i = 0; i < 10; i++)
        printf("%x ", (unsigned)words[i]);
    putchar('\n');

    struct block a, b;
    a.header = 1;
    fill(a.body, sizeof a.body, 11);
    memcpy(&b, &a, sizeof b);
    printf("equal %d\n", memcmp(&a, &b, sizeof a));
    b.body[150]++;
    printf("less %d greater %d prefix %d\n", memcmp(&a, &b, sizeof a) < 0, memcmp(&b, &a, sizeof a) > 0,
           memcmp(a.body, b.body, 150));
    b.body[150] = 0xff;
    a.body[150] = 0x01;
    printf("unsigned bytes %d\n", memcmp(b.body, a.body, sizeof a.body) > 0);
    unsigned char *found = memchr(source, 200, sizeof source);
    printf("memchr %d %d\n", found ? (int)(found - source) : -1, memchr(source, 0x1ff, 0) == NULL);
    double zero[3] = { 1, 2, 3 };
    memset(zero, 0, sizeof zero);
    printf("zeroed %g %g\n", zero[0], zero[2]);
    return (int)(digest(&b, sizeof b) & 0x7f);
}
