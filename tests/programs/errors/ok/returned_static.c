// Looks like use-after-scope: returned addresses belong to static, heap or caller-owned objects.
#include <stdio.h>
#include <stdlib.h>

struct view {
    const char *text;
    int length;
};

static const char *hex(unsigned v)
{
    static char buffer[12];
    snprintf(buffer, sizeof buffer, "%x", v);
    return buffer;
}

static void describe(int v, char *storage, size_t size, struct view *out)
{
    out->length = snprintf(storage, size, "<%d>", v);
    out->text = storage;
}

static int *make(int seed)
{
    int *values = malloc(2 * sizeof *values);
    if (!values)
        exit(1);
    values[0] = seed;
    values[1] = seed * 2;
    return values;
}

int main(void)
{
    printf("%s\n", hex(255));
    char storage[16];
    struct view v;
    describe(42, storage, sizeof storage, &v);
    printf("%s %d\n", v.text, v.length);
    int *values = make(10);
    printf("%d\n", values[1]);
    free(values);
    return 0;
}
