// An access beyond a block ends its path.
#include "../stubs.h"

int read_bad(void)
{
    int a[3] = { 0 };
    int x = a[3]; //~ out-of-bounds
    int *r = 0;
    return *r + x;
}

int before_bad(void)
{
    int a[3] = { 0 };
    int x = a[-1]; //~ out-of-bounds
    int *r = 0;
    return *r + x;
}

int written_bad(void)
{
    static int a[3];
    a[3] = 1; //~ out-of-bounds
    int *r = 0;
    return *r;
}

int allocated_bad(void)
{
    int *a = malloc(12);
    if (!a)
        return 0;
    a[3] = 1; //~ out-of-bounds
    int *r = 0;
    return *r;
}

int copied_bad(char *from)
{
    char a[4];
    memcpy(a, from, 5); //~ out-of-bounds
    int *r = 0;
    return *r;
}

int literal_bad(void)
{
    char c = "abc"[4]; //~ out-of-bounds
    int *r = 0;
    return *r + c;
}

int last_ok(void)
{
    int a[3] = { 0 };
    return a[2];
}
