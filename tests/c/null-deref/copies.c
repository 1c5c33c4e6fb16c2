// What a copy of unknown length leaves is not followed, but it is not what was there before.
// args: --skip doomed
#include "../stubs.h"

int copied_over_ok(void)
{
    char to[8], from[8];
    int *p = NULL;
    size_t n = any_unsigned() % 7 + 1;
    memset(to, 1, 8);
    memset(from, 2, 8);
    memcpy(to, from, n);
    if (to[0] == 1)
        return *p;
    return 0;
}

int behind_copy_bad(void)
{
    char to[8], from[8];
    int *p = NULL;
    memset(to, 1, 8);
    memset(from, 2, 8);
    memcpy(to, from, 3);
    if (to[3] == 1)
        return *p; //~ null-deref
    return 0;
}

int last_copied_ok(void)
{
    char to[8], from[8];
    int *p = NULL;
    memset(to, 1, 8);
    memset(from, 2, 8);
    memcpy(to, from, 3);
    if (to[2] == 1)
        return *p;
    return 0;
}
