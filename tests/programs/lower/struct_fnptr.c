// Structs passed and returned through function pointers: register classes, hidden pointers, and tables of operations.
#include <stdio.h>

struct complex_number { double re, im; };
struct pair { int a; char b; };
struct wide { long v[5]; };

typedef struct complex_number (*complex_op)(struct complex_number, struct complex_number);
typedef struct pair (*pair_op)(struct pair);
typedef struct wide (*wide_op)(struct wide, int);

static struct complex_number add(struct complex_number x, struct complex_number y)
{
    return (struct complex_number){ x.re + y.re, x.im + y.im };
}

static struct complex_number mul(struct complex_number x, struct complex_number y)
{
    return (struct complex_number){ x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re };
}

static struct pair bump(struct pair p) { return (struct pair){ p.a + 1, (char)(p.b + 1) }; }
static struct pair flip(struct pair p) { return (struct pair){ p.b, (char)p.a }; }

static struct wide rotate(struct wide w, int n)
{
    struct wide r;
    for (int i = 0; i < 5; i++)
        r.v[(i + n) % 5] = w.v[i];
    return r;
}

static struct wide scale(struct wide w, int n)
{
    for (int i = 0; i < 5; i++)
        w.v[i] *= n;
    return w;
}

static struct pair apply(pair_op op, struct pair p, int times)
{
    while (times--)
        p = op(p);
    return p;
}

struct operations {
    const char *name;
    complex_op op;
    wide_op wide;
};

static const struct operations table[] = { { "add", add, rotate }, { "mul", mul, scale } };

int main(void)
{
    struct complex_number z = { 0.5, 1.0 }, c = { -0.25, 0.75 };
    struct wide w = { { 1, 2, 3, 4, 5 } };
    for (int round = 0; round < 4; round++) {
        const struct operations *o = &table[round % 2];
        z = o->op(z, c);
        w = o->wide(w, round + 2);
        printf("%s %.5f %.5f | %ld %ld %ld %ld %ld\n", o->name, z.re, z.im, w.v[0], w.v[1], w.v[2], w.v[3], w.v[4]);
    }
    pair_op ops[2] = { bump, flip };
    struct pair p = { 65, 'x' };
    for (int i = 0; i < 4; i++) {
        p = apply(ops[i & 1], p, i + 1);
        printf("pair %d %d\n", p.a, p.b);
    }
    struct wide (*volatile last)(struct wide, int) = rotate;
    printf("member of result %ld\n", last(w, 3).v[0]);
    return p.a;
}
