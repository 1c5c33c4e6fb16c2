// A callback is fetched from a table of operations that was never installed.
// sanitizer: undefined
#include <stdio.h>

struct operations {
    int (*start)(int);
    int (*stop)(int);
};

struct device {
    int id;
    const struct operations *ops;
};

static int start(int v) { return v + 1; }
static int stop(int v) { return v - 1; }
static const struct operations real = { start, stop };

static int cycle(const struct device *d)
{
    int started = d->ops->start(d->id); //~ null-deref
    return d->ops->stop(started) + started;
}

int main(void)
{
    struct device good = { 3, &real }, bare = { 4, NULL };
    printf("%d\n", cycle(&good));
    printf("%d\n", cycle(&bare));
    return 0;
}
