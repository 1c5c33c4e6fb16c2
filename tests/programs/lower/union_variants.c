// Tagged unions: values of different sizes in one place, passed and returned by value, in arrays and in trees.
#include <stdio.h>
#include <stdlib.h>

enum kind { NUMBER, REAL, TEXT, BINARY };

struct expr {
    enum kind kind;
    union {
        long number;
        double real;
        char text[12];
        struct {
            char op;
            struct expr *left, *right;
        } binary;
    } u;
};

static struct expr number(long n) { return (struct expr){ NUMBER, { .number = n } }; }
static struct expr real(double r) { return (struct expr){ .kind = REAL, .u.real = r }; }

static struct expr text(const char *s)
{
    struct expr e = { .kind = TEXT };
    snprintf(e.u.text, sizeof e.u.text, "%s", s);
    return e;
}

static struct expr *box(struct expr e)
{
    struct expr *p = malloc(sizeof *p);
    if (!p)
        exit(99);
    *p = e;
    return p;
}

static struct expr binary(char op, struct expr l, struct expr r)
{
    struct expr e;
    e.kind = BINARY;
    e.u.binary.op = op;
    e.u.binary.left = box(l);
    e.u.binary.right = box(r);
    return e;
}

static double eval(struct expr e)
{
    switch (e.kind) {
    case NUMBER: return (double)e.u.number;
    case REAL: return e.u.real;
    case TEXT: return strtod(e.u.text, NULL);
    case BINARY: break;
    }
    double l = eval(*e.u.binary.left), r = eval(*e.u.binary.right);
    return e.u.binary.op == '+' ? l + r : e.u.binary.op == '-' ? l - r : l * r;
}

static void print(const struct expr *e)
{
    if (e->kind == NUMBER)
        printf("%ld", e->u.number);
    else if (e->kind == REAL)
        printf("%g", e->u.real);
    else if (e->kind == TEXT)
        printf("\"%s\"", e->u.text);
    else {
        putchar('(');
        print(e->u.binary.left);
        printf(" %c ", e->u.binary.op);
        print(e->u.binary.right);
        putchar(')');
    }
}

static void release(struct expr e)
{
    if (e.kind != BINARY)
        return;
    release(*e.u.binary.left);
    release(*e.u.binary.right);
    free(e.u.binary.left);
    free(e.u.binary.right);
}

int main(void)
{
    struct expr e = binary('*', binary('+', number(3), real(0.5)), binary('-', text("12.25"), number(-2)));
    print(&e);
    printf(" = %g\n", eval(e));
    struct expr mixed[3] = { number(1L << 40), real(-1e9), text("7e3 and more") };
    for (int i = 0; i < 3; i++) {
        print(&mixed[i]);
        printf(" = %.1f, size %zu\n", eval(mixed[i]), sizeof mixed[i]);
    }
    mixed[0] = mixed[2];
    print(&mixed[0]);
    putchar('\n');
    int status = (int)eval(e);
    release(e);
    return status;
}
