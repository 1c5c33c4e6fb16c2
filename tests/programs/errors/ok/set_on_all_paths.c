// Looks like uninit-read: each variable without initializer is set on every path that leads to its use.
#include <stdio.h>

struct flags {
    unsigned ready : 1;
    unsigned mode : 3;
    unsigned done : 1;
};

static int sign(int v)
{
    int result;
    if (v > 0)
        result = 1;
    else if (v < 0)
        result = -1;
    else
        result = 0;
    return result;
}

static int parse(const char *s, int *out)
{
    if (*s < '0' || *s > '9')
        return 0;
    *out = *s - '0';
    return 1;
}

int main(void)
{
    printf("%d %d %d\n", sign(5), sign(-5), sign(0));
    int value;
    if (parse("7", &value))
        printf("%d\n", value);
    int other;
    if (parse("x", &other))
        printf("%d\n", other);
    struct flags f;
    f.ready = 1;
    f.mode = 5;
    f.done = 0;
    printf("%d\n", f.ready + f.mode + f.done);
    int values[6];
    for (int i = 0; i < 6; i += 2)
        values[i] = i;
    for (int i = 1; i < 6; i += 2)
        values[i] = -i;
    int sum = 0;
    for (int i = 0; i < 6; i++)
        if (values[i] > 0)
            sum += values[i];
    printf("%d\n", sum);
    return 0;
}
