// The use of null ends its path, also in functions of the library, whether they succeed or fail.
// args: --skip doomed
#include "../stubs.h"

char *fgets(char *to, int size, FILE *stream);

int copied_from_bad(char *to)
{
    memcpy(to, 0, 4); //~ null-deref
    int *r = 0;
    return *r;
}

int copied_to_bad(char *from)
{
    memcpy(0, from, 4); //~ null-deref
    int *r = 0;
    return *r;
}

int text_bad(char *to)
{
    strcpy(to, 0); //~ null-deref
    int *r = 0;
    return *r;
}

int line_bad(FILE *file)
{
    char *line = fgets(0, 10, file); //~ null-deref
    int *r = 0;
    return *r + (line != 0);
}

int closed_bad(void)
{
    fclose(0); //~ null-deref
    int *r = 0;
    return *r;
}

int called_bad(void)
{
    int (*f)(void) = 0;
    int x = f(); //~ null-deref
    int *r = 0;
    return *r + x;
}

int never_returns_ok(void)
{
    __builtin_trap();
    int *r = 0;
    return *r;
}

int line_ok(FILE *file)
{
    char text[10];
    return fgets(text, 10, file) != 0;
}
