// What is freed a second time ends its path, whichever function was to free it, and whether that function succeeds or fails.
// args: --skip doomed
#include "../stubs.h"

long getline(char **line, size_t *size, FILE *stream);
void *reallocarray(void *block, size_t count, size_t size);

int realloc_bad(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    free(p);
    char *q = realloc(p, 8); //~ double-free "`p` is freed a second time" cause program when "true"
    int *r = 0;
    *r = 1;
    free(q);
    return 0;
}

int realloc_fails_bad(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    free(p);
    char *q = realloc(p, 8); //~ double-free
    if (!q) {
        int *r = 0;
        return *r;
    }
    return 1;
}

int realloc_to_nothing_bad(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    free(p);
    char *q = realloc(p, 0); //~ double-free
    int *r = 0;
    return *r + (q != 0);
}

int reallocarray_bad(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    free(p);
    char *q = reallocarray(p, 8, 2); //~ double-free
    int *r = 0;
    return *r + (q != 0);
}

static void *grow(void *p) { return realloc(p, 100); }

int in_a_callee_bad(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    free(p);
    char *q = grow(p); //~ double-free "`p` was freed, and `grow` frees it again"
    int *r = 0;
    return *r + (q != 0);
}

int getline_bad(FILE *file)
{
    size_t size = 10;
    char *line = malloc(size);
    if (!line)
        return 0;
    free(line);
    long length = getline(&line, &size, file); //~ double-free
    int *r = 0;
    return *r + length;
}

int fclose_bad(void)
{
    FILE *file = fopen("a", "r");
    if (!file)
        return 0;
    fclose(file);
    fclose(file); //~ double-free
    int *r = 0;
    return *r;
}

int twice_bad(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    free(p);
    free(p); //~ double-free
    free(p);
    return *p;
}

int realloc_ok(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    char *q = realloc(p, 8);
    if (!q) {
        free(p);
        return 0;
    }
    free(q);
    return 1;
}

int getline_ok(FILE *file)
{
    size_t size = 0;
    char *line = 0;
    long length = getline(&line, &size, file);
    free(line);
    return length > 0;
}
