// The use of what was never written ends its path.
// args: --skip doomed
#include "../stubs.h"

int read_bad(void)
{
    int *p;
    int x = *p; //~ uninit-read
    int *r = 0;
    return *r + x;
}

int written_far_away_bad(void)
{
    int *p;
    p[3] = 1; //~ uninit-read
    int *r = 0;
    return *r;
}

int called_bad(void)
{
    void (*f)(void);
    f(); //~ uninit-read
    int *r = 0;
    return *r;
}

int freed_bad(void)
{
    char *p;
    free(p); //~ uninit-read
    int *r = 0;
    return *r;
}

int realloc_bad(void)
{
    char *p;
    char *q = realloc(p, 8); //~ uninit-read "`p` is used as an address but was never written"
    return q != 0;
}

int realloc_size_bad(void)
{
    size_t size;
    char *q = realloc(0, size); //~ uninit-read
    return q != 0;
}

int divisor_bad(int a)
{
    int x;
    int y = a / x; //~ uninit-read
    int *r = 0;
    return *r + y;
}

int realloc_ok(void)
{
    char *p = 0;
    char *q = realloc(p, 8);
    free(q);
    return q != 0;
}
