// Mutual recursion: even and odd, a recursive-descent parser for expressions, and sequences defined by one another.
#include <stdio.h>
#include <ctype.h>
#include <stdlib.h>

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int male(int n);
static int female(int n) { return n == 0 ? 1 : n - male(female(n - 1)); }
static int male(int n) { return n == 0 ? 0 : n - female(male(n - 1)); }

struct parser {
    const char *at;
    int depth, deepest, errors;
};

static long expression(struct parser *p);

static void skip(struct parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static long primary(struct parser *p)
{
    skip(p);
    if (*p->at == '(') {
        p->at++;
        if (++p->depth > p->deepest)
            p->deepest = p->depth;
        long v = expression(p);
        skip(p);
        if (*p->at == ')')
            p->at++;
        else
            p->errors++;
        p->depth--;
        return v;
    }
    if (*p->at == '-') {
        p->at++;
        return -primary(p);
    }
    if (!isdigit((unsigned char)*p->at)) {
        p->errors++;
        return 0;
    }
    char *end;
    long v = strtol(p->at, &end, 10);
    p->at = end;
    return v;
}

static long term(struct parser *p)
{
    long v = primary(p);
    for (skip(p); *p->at == '*' || *p->at == '/'; skip(p)) {
        char op = *p->at++;
        long r = primary(p);
        if (op == '/' && r == 0)
            p->errors++;
        else
            v = op == '*' ? v * r : v / r;
    }
    return v;
}

static long expression(struct parser *p)
{
    long v = term(p);
    for (skip(p); *p->at == '+' || *p->at == '-'; skip(p))
        v = *p->at++ == '+' ? v + term(p) : v - term(p);
    return v;
}

int main(void)
{
    printf("even %d %d odd %d\n", is_even(10), is_even(7), is_odd(7));
    for (int n = 0; n < 12; n++)
        printf("%d/%d ", female(n), male(n));
    putchar('\n');
    const char *inputs[] = { "1 + 2 * 3", "(1 + 2) * -(3 - 5)", "100 / (2 + 3) / 2 - 1", "((((7))))", "8 / 0 + 1",
                             "(2 + ", "12345678901 * 3" };
    long last = 0;
    for (unsigned i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        struct parser p = { inputs[i], 0, 0, 0 };
        long v = expression(&p);
        printf("%s = %ld depth %d errors %d\n", inputs[i], v, p.deepest, p.errors);
        last += v + p.errors;
    }
    return (int)(last & 0x7f);
}
