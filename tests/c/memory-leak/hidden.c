// Pointers that do not look like pointers for a while, or that others get.
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

void volatile_ok(void)
{
    char *volatile p = malloc(3);
    free(p);
}

void volatile_bad(void)
{
    char *volatile p = malloc(3); //~ memory-leak
    (void)p;
}

int tagged_ok(void)
{
    char *p = malloc(8);
    uintptr_t tagged = (uintptr_t)p | 1;
    free((void *)(tagged & ~(uintptr_t)1));
    return 0;
}

static void free_all(void *first, ...)
{
    va_list rest;
    free(first);
    va_start(rest, first);
    for (void *next; (next = va_arg(rest, void *));)
        free(next);
    va_end(rest);
}

void variadic_ok(void)
{
    char *a = malloc(3), *b = malloc(3);
    free_all(a, b, (void *)0);
}

int sent_ok(int fd)
{
    char *p = malloc(3);
    if (!p)
        return -1;
    if (write(fd, &p, sizeof p) != sizeof p) {
        free(p);
        return -1;
    }
    return 0;
}

int written_bad(int fd)
{
    char *p = malloc(3); //~ memory-leak
    if (!p)
        return -1;
    return write(fd, p, 3) == 3;
}

int is_on(int which) __attribute__((const));

void asked_twice_ok(void)
{
    char *p = NULL;
    if (is_on(1))
        p = malloc(3);
    if (is_on(1))
        free(p);
}

void asked_another_bad(void)
{
    char *p = NULL;
    if (is_on(1))
        p = malloc(3); //~ memory-leak
    if (is_on(2))
        free(p);
}

static void free_untagged(uintptr_t value)
{
    if (value && !(value & 1))
        free((void *)value);
}

void aligned_ok(void)
{
    free_untagged((uintptr_t)malloc(8));
}
