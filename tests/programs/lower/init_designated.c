// Designated initializers: out of order, overriding, ranges, nested members, implicit zeros, partial arrays.
#include <stdio.h>

struct vec { int x, y, z; };
struct item {
    const char *name;
    struct vec at;
    unsigned char bytes[6];
    union {
        int number;
        float real;
    } u;
};

static int sparse[10] = { [7] = 70, [2] = 20, 30, [9] = 90 };
static int ranged[12] = { [0 ... 3] = 1, [4 ... 10] = 2, [6] = 60 };
static struct item items[] = {
    [2] = { .u.real = 2.5f, .name = "two", .at.z = 9 },
    [0] = { "zero", { 1, 2, 3 }, { 1, 2 }, { 7 } },
    { .name = "one", .bytes = { [5] = 55, [0] = 5 }, .at = { .y = 8 } },
};
static const char *colors[] = { [3] = "blue", [1] = "red" };
static struct { struct vec pair[2]; int tail; } nested = { .pair[1].y = 4, .tail = 5, .pair[0] = { 6 } };
static char letters[8] = { 'a', 'b', [4] = 'e', 'f' };
static unsigned char text[4] = "full";

static int sum(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s = s * 3 + a[i];
    return s;
}

int main(void)
{
    printf("sparse %d ranged %d\n", sum(sparse, 10), sum(ranged, 12));
    printf("items %zu\n", sizeof items / sizeof *items);
    for (int i = 0; i < 3; i++)
        printf("%s %d %d %d bytes %d %d\n", items[i].name, items[i].at.x, items[i].at.y, items[i].at.z,
               items[i].bytes[0], items[i].bytes[5]);
    printf("unions %d %g\n", items[0].u.number, (double)items[2].u.real);
    for (int i = 0; i < 4; i++)
        printf("%s ", colors[i] ? colors[i] : "(none)");
    printf("\nnested %d %d %d %d\n", nested.pair[0].x, nested.pair[0].z, nested.pair[1].y, nested.tail);
    for (int i = 0; i < 8; i++)
        printf("%d ", letters[i]);
    printf("text %c%c\n", text[0], text[3]);

    int n = 3;
    struct vec local = { .z = n, .x = n * 2 };
    int automatic[6] = { [5] = n, [1] = n + 1 };
    struct item one = { .at = local, .bytes = "abc", .name = n > 2 ? "large" : "small" };
    one.at.y++;
    printf("local %d %d %d, one %d %s %s\n", local.x, local.y, local.z, one.at.y, (char *)one.bytes, one.name);
    printf("automatic %d\n", sum(automatic, 6));
    static int once[] = { 1, 2, [5] = 6 };
    once[3]++;
    printf("once %zu %d\n", sizeof once / sizeof *once, sum(once, 6));
    int grid[3][3] = { { 1 }, { [1] = 2 }, { [2] = 3 } };
    printf("grid %d\n", sum(&grid[0][0], 3) + sum(grid[1], 3) + sum(grid[2], 3));
    return sum(sparse, 5);
}
