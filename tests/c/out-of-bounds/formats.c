// `scanf` writes as many bytes as the format says.
#include <stdio.h>

int scan_too_wide_bad(const char *text)
{
    int number;
    return sscanf(text, "%ld", (long *)&number); //~ out-of-bounds
}

int scan_exactly_ok(const char *text)
{
    int number;
    return sscanf(text, "%d", &number);
}

int scan_characters_bad(const char *text)
{
    char start[4];
    return sscanf(text, "%8c", start); //~ out-of-bounds
}

int scan_set_ok(const char *text)
{
    char start[4];
    return sscanf(text, "%3[^]x]", start);
}
