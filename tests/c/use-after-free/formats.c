// What a format does to its arguments is read from its text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int print_freed_text_bad(void)
{
    char *name = strdup("a");
    if (!name)
        return 1;
    free(name);
    return printf("%d: %-8s\n", 1, name); //~ use-after-free
}

int print_freed_address_ok(void)
{
    char *name = strdup("a");
    if (!name)
        return 1;
    free(name);
    return printf("%p\n", (void *)name);
}

int print_null_text_ok(void)
{
    const char *name = 0;
    return printf("%s\n", name);
}

int print_freed_nothing_ok(void)
{
    char *name = strdup("a");
    if (!name)
        return 1;
    free(name);
    return printf("%.0s%%\n", name);
}

int choose_format_bad(int verbose)
{
    char *name = strdup("a");
    if (!name)
        return 1;
    free(name);
    const char *format = verbose ? "name %s\n" : "%s\n";
    return printf(format, name); //~ use-after-free
}

int scan_into_freed_bad(const char *text)
{
    int *number = malloc(sizeof *number);
    if (!number)
        return 1;
    free(number);
    return sscanf(text, "%d", number); //~ use-after-free
}

int scan_nothing_into_freed_ok(const char *text)
{
    int *number = malloc(sizeof *number);
    if (!number)
        return 1;
    free(number);
    return sscanf(text, "%*d", number);
}
