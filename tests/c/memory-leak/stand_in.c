// Functions whose bodies are too much to follow, and that everybody knows by their names: the model stands in.
#include "../stubs.h"

static int width_of(const char *format, int n)
{
    int width = 0;
    for (int i = 0; format[i]; i++)
        for (int k = 0; k < n; k++)
            width += format[i] * k % 7;
    return width;
}

char *curl_maprintf(const char *format, ...)
{
    int total = 0;
    while (width_of(format, total) < 4711)
        total += width_of(format + total % 3, total + 1);
    char *text = malloc(total);
    if (text)
        text[0] = 0;
    return text;
}

// Nobody else sees this one, so it may be anything.
static char *curl_getenv(const char *name)
{
    int total = 0;
    while (width_of(name, total) < 4711)
        total += width_of(name + total % 3, total + 1);
    static char text[4];
    text[total % 3] = 0;
    return text;
}

void lost_text_bad(const char *name)
{
    char *text = curl_maprintf("hello, %s", name); //~ memory-leak
    if (text)
        printf("%d\n", text[0]);
}

void given_back_ok(const char *name)
{
    char *text = curl_maprintf("hello, %s", name);
    if (text)
        printf("%d\n", text[0]);
    free(text);
}

int unchecked_text_bad(const char *name)
{
    char *text = curl_maprintf("hello, %s", name); //~ memory-leak
    return text[0]; //~ null-deref
}

int own_function_of_that_name_ok(void)
{
    char *text = curl_getenv("HOME");
    return text[0];
}
