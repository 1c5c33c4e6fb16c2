// Pointer comparison: equality across objects, order inside one, null tests, void pointers and past-the-end addresses.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int a, b;
    char tail[3];
};

static int global_a, global_b;

static const char *relation(const char *p, const char *q)
{
    if (p < q)
        return "before";
    if (p > q)
        return "after";
    return "same";
}

static int is_one_of(const void *p, void *const *set, int n)
{
    for (int i = 0; i < n; i++)
        if (set[i] == p)
            return i;
    return -1;
}

static int bit(int value, int shift) { return value << shift; }

int main(void)
{
    char buffer[16];
    int bits = 0;
    printf("order %s %s %s\n", relation(buffer, buffer + 3), relation(buffer + 16, buffer + 15),
           relation(&buffer[4], buffer + 4));
    for (char *p = buffer; p <= buffer + 12; p += 4)
        bits = bits * 2 + (p >= buffer + 8);
    printf("bits %d\n", bits);

    struct node n;
    printf("members %d %d %d\n", (void *)&n == (void *)&n.a, (char *)&n.a < (char *)&n.b,
           (char *)&n.tail[2] > (char *)&n.b);
    int *none = NULL;
    int *heap = malloc(sizeof *heap);
    int *other = malloc(sizeof *other);
    if (!heap || !other)
        return 99;
    printf("null %d %d %d %d\n", none == NULL, !none, heap != NULL, none ? 1 : 0);
    printf("distinct %d %d %d\n", heap == other, &global_a == &global_b, heap == &global_a);

    void *set[] = { &global_a, heap, &n, buffer };
    printf("index %d %d %d %d %d\n", is_one_of(&global_a, set, 4), is_one_of(heap, set, 4), is_one_of(&n.a, set, 4),
           is_one_of(&buffer[0], set, 4), is_one_of(other, set, 4));
    int grid[3][4];
    printf("rows %d %d\n", &grid[0][3] < &grid[2][0], (void *)grid[1] == (void *)&grid[1][0]);
    printf("one past %d\n", &grid[0][4] == &grid[1][0]);

    int *const volatile keep = heap;
    int flags = bit(keep == heap, 0) | bit(keep == other, 1) | bit(keep != none, 2);
    printf("flags %d\n", flags);
    free(heap);
    free(other);
    return flags;
}
