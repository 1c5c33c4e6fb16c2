// Forwarding of argument lists: va_copy, va_list as a parameter and in a struct, vprintf and vsnprintf wrappers.
#include <stdio.h>
#include <stdarg.h>
#include <string.h>
#include <stdlib.h>

static int log_lines;

static void logf_line(const char *level, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    printf("[%s:%d] ", level, ++log_lines);
    vprintf(format, ap);
    putchar('\n');
    va_end(ap);
}

static char *format_alloc(const char *format, ...)
{
    va_list ap, again;
    va_start(ap, format);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    char *text = malloc((size_t)n + 1);
    if (!text)
        exit(99);
    vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    return text;
}

static long take(int count, va_list *ap)
{
    long sum = 0;
    while (count--)
        sum += va_arg(*ap, int);
    return sum;
}

static long halves(int count, ...)
{
    va_list ap;
    va_start(ap, count);
    long first = take(count / 2, &ap);
    long second = take(count - count / 2, &ap);
    va_end(ap);
    return first * 1000 + second;
}

static int count_and_sum(int count, ...)
{
    va_list ap, saved;
    va_start(ap, count);
    int skipped = va_arg(ap, int);
    va_copy(saved, ap);
    int a = 0, b = 0;
    for (int i = 1; i < count; i++)
        a += va_arg(ap, int);
    for (int i = 1; i < count; i++)
        b = b * 2 + va_arg(saved, int);
    va_end(ap);
    va_end(saved);
    return skipped * 10000 + a * 100 + b;
}

struct cursor {
    va_list ap;
    int left;
};

static int next(struct cursor *c) { return c->left-- > 0 ? va_arg(c->ap, int) : -1; }

static int through_struct(int count, ...)
{
    struct cursor c;
    c.left = count;
    va_start(c.ap, count);
    int v, digest = 7;
    while ((v = next(&c)) >= 0)
        digest = digest * 5 + v;
    va_end(c.ap);
    return digest;
}

int main(void)
{
    logf_line("info", "%s has %d items, %.2f%% done", "queue", 12, 37.5);
    logf_line("warn", "%c%c%c %5d|%-5d|%05d %lx", 'a', 'b', 'c', 42, 42, 42, 0xdeadbeefL);
    char *text = format_alloc("%s-%03d-%g", "name", 7, 1.0 / 8);
    printf("%s %zu\n", text, strlen(text));
    free(text);
    char small[6];
    int wanted = snprintf(small, sizeof small, "%s", "truncated");
    printf("%s %d\n", small, wanted);
    printf("halves %ld\n", halves(9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    printf("copy %d\n", count_and_sum(4, 9, 1, 2, 3));
    printf("struct %d\n", through_struct(8, 1, 2, 3, 4, 3, 2, 1, 0));
    return log_lines;
}
