// alloca: memory of dynamic size that lives until the function returns, kept across loop rounds and passed to callees.
#include <stdio.h>
#include <string.h>
#include <stdint.h>

struct cell {
    int value;
    struct cell *next;
};

static int sum_list(const struct cell *c)
{
    int sum = 0;
    for (; c; c = c->next)
        sum = sum * 3 + c->value;
    return sum;
}

static int build_on_stack(int n)
{
    struct cell *head = NULL;
    for (int i = 0; i < n; i++) {
        struct cell *c = __builtin_alloca(sizeof *c);
        c->value = i;
        c->next = head;
        head = c;
    }
    for (struct cell *c = head; c; c = c->next)
        printf("%d ", c->value);
    putchar('\n');
    return sum_list(head);
}

static size_t upper(const char *text, char *out)
{
    size_t n = strlen(text);
    char *copy = __builtin_alloca(n + 1);
    for (size_t i = 0; i <= n; i++)
        copy[i] = text[i] >= 'a' && text[i] <= 'z' ? (char)(text[i] - 32) : text[i];
    strcpy(out, copy);
    return n;
}

static int aligned(int n)
{
    void *p = __builtin_alloca_with_align(n, 64 * 8);
    memset(p, n, (size_t)n);
    const unsigned char *bytes = p;
    return (uintptr_t)p % 64 == 0 ? bytes[n - 1] : -1;
}

static long recursive(int n, long *previous)
{
    long *mine = __builtin_alloca((size_t)(n + 1) * sizeof *mine);
    for (int i = 0; i <= n; i++)
        mine[i] = n * 100 + i;
    if (previous)
        previous[0] += mine[n];
    if (n == 0)
        return mine[0];
    long below = recursive(n - 1, mine);
    return below + mine[0];
}

int main(void)
{
    int sum = build_on_stack(7);
    printf("sum %d\n", sum);
    char out[40];
    size_t length = upper("stack allocated text", out);
    printf("upper %zu %s\n", length, out);
    for (int n = 1; n < 200; n += 66)
        printf("aligned %d\n", aligned(n));
    printf("recursive %ld\n", recursive(5, NULL));
    return sum & 0xff;
}
