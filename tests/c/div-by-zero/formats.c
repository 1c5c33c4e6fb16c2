// What `scanf` fills is as wide as the format says: what lies beside it stays what it was.
#include <stdio.h>

struct pair { int first, second; };

int scan_neighbor_bad(const char *text)
{
    struct pair pair;
    pair.second = 0;
    if (sscanf(text, "%d", &pair.first) != 1)
        return 0;
    return pair.first / pair.second; //~ div-by-zero
}

int scan_itself_ok(const char *text)
{
    struct pair pair;
    pair.second = 0;
    if (sscanf(text, "%d", &pair.second) != 1)
        return 0;
    return 10 / (pair.second | 1);
}

int scan_wide_ok(const char *text)
{
    struct pair pair = { 1, 0 };
    if (sscanf(text, "%ld", (long *)&pair) != 1 || pair.second == 0)
        return 0;
    return 10 / pair.second;
}
