// What cannot be freed ends its path, whichever function was to free it, and whether that function succeeds or fails.
// args: --skip doomed
#include "../stubs.h"

long getline(char **line, size_t *size, FILE *stream);

int realloc_local_bad(void)
{
    char a[4];
    char *q = realloc(a, 8); //~ invalid-free
    int *r = 0;
    return *r + (q != 0);
}

int realloc_global_bad(void)
{
    static char a[4];
    char *q = realloc(a, 8); //~ invalid-free
    return q != 0;
}

int realloc_literal_bad(void)
{
    char *q = realloc("abc", 8); //~ invalid-free
    return q != 0;
}

int realloc_inner_bad(void)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    char *q = realloc(p + 1, 8); //~ invalid-free
    return q != 0;
}

int realloc_file_bad(void)
{
    FILE *file = fopen("a", "r");
    if (!file)
        return 0;
    char *q = realloc(file, 8); //~ invalid-free
    return q != 0;
}

int getline_local_bad(FILE *file)
{
    char a[10];
    size_t size = 10;
    char *line = a;
    long length = getline(&line, &size, file); //~ invalid-free
    int *r = 0;
    return *r + length;
}

int local_bad(void)
{
    int a;
    free(&a); //~ invalid-free
    int *r = 0;
    return *r;
}

int global_bad(void)
{
    static int a;
    free(&a); //~ invalid-free
    int *r = 0;
    return *r;
}

int inner_bad(void)
{
    char *p = malloc(5);
    if (!p)
        return 0;
    free(p + 1); //~ invalid-free
    int *r = 0;
    return *r;
}

int function_bad(void)
{
    free((void *)inner_bad); //~ invalid-free
    int *r = 0;
    return *r;
}

// Numbers that are no addresses are freed by nobody; nothing is told of them, nor of what is behind.
void number_ok(char *p)
{
    free((void *)1);
    free(p);
    free(p);
}

void last_number_ok(char *p)
{
    free((void *)-1);
    free(p);
    free(p);
}

int realloc_ok(char *p)
{
    char *q = realloc(p, 8);
    free(q ? q : p);
    return q != 0;
}
