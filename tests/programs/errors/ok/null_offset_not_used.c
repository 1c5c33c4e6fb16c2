// Looks like null-deref: null pointers are compared, stored and passed on, and an empty view touches nothing.
#include <stddef.h>
#include <stdio.h>

struct view {
    const char *data;
    size_t length;
};

static int sum(struct view v)
{
    int total = 0;
    for (size_t i = 0; i < v.length; i++)
        total += v.data[i];
    return total;
}

static int (*choose(int which))(int);
static int negate(int v) { return -v; }
static int (*choose(int which))(int) { return which ? negate : NULL; }

int main(void)
{
    struct view empty = { NULL, 0 }, full = { "ab", 2 };
    printf("%d %d\n", sum(empty), sum(full));
    int (*f)(int) = choose(0);
    if (!f)
        f = choose(1);
    printf("%d %d\n", f(3), empty.data == NULL);
    return 0;
}
