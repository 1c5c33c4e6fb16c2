// The use of freed memory ends its path, also in functions of the library.
#include "../stubs.h"

int copied_from_bad(char *to)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    free(p);
    memcpy(to, p, 4); //~ use-after-free
    int *r = 0;
    return *r;
}

int text_bad(char *from)
{
    char *p = malloc(4);
    if (!p)
        return 0;
    free(p);
    strcpy(p, from); //~ use-after-free
    int *r = 0;
    return *r;
}

int stream_bad(void)
{
    FILE *file = fopen("a", "r");
    if (!file)
        return 0;
    fclose(file);
    int c = fgetc(file); //~ use-after-free
    int *r = 0;
    return *r + c;
}

int called_bad(void)
{
    void (**f)(void) = malloc(8);
    if (!f)
        return 0;
    free(f);
    (*f)(); //~ use-after-free
    int *r = 0;
    return *r;
}

int written_bad(void)
{
    int *p = malloc(4);
    if (!p)
        return 0;
    free(p);
    *p = 1; //~ use-after-free
    free(p);
    return 0;
}

int written_before_ok(void)
{
    int *p = malloc(4);
    if (!p)
        return 0;
    *p = 1;
    free(p);
    return 0;
}
