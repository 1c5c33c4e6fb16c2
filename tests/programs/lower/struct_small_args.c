// Small structs by value in registers: pairs of ints, pairs of floats, double with int, three chars, and mixtures.
#include <stdio.h>

struct ints { int a, b; };
struct floats { float x, y; };
struct mixed { double d; int n; };
struct chars { char c[3]; };
struct one { short s; };
struct longs { long a, b; };
struct three { float x, y, z; };
struct odd { char c; int n; short s; };
struct empty_tail { double d; char c[7]; };

static int sum_ints(struct ints p) { return p.a * 10 + p.b; }
static float sum_floats(struct floats p) { return p.x * 2 + p.y; }
static double sum_mixed(struct mixed m) { return m.d + m.n; }
static int sum_chars(struct chars c) { return c.c[0] + c.c[1] * 2 + c.c[2] * 3; }
static int get_one(struct one o) { return o.s; }
static long sum_longs(struct longs l) { return l.a - l.b; }
static float sum_three(struct three t) { return t.x + t.y * 10 + t.z * 100; }
static int sum_odd(struct odd o) { return o.c + o.n + o.s; }
static double sum_tail(struct empty_tail e) { return e.d + e.c[0] + e.c[6]; }

static double many(int a, struct ints p, double b, struct mixed m, struct floats f, struct chars c, struct longs l)
{
    return a + sum_ints(p) + b + sum_mixed(m) + sum_floats(f) + sum_chars(c) + sum_longs(l);
}

static struct ints modify(struct ints p)
{
    p.a++;
    p.b = -p.b;
    return p;
}

int main(void)
{
    struct ints p = { 12, -7 };
    struct floats f = { 1.25f, -0.5f };
    struct mixed m = { 3.75, -100 };
    struct chars c = { { 1, -2, 3 } };
    struct longs l = { 0x100000000L, -5 };
    printf("ints %d\n", sum_ints(p));
    printf("floats %.3f\n", sum_floats(f));
    printf("mixed %.3f\n", sum_mixed(m));
    printf("chars %d\n", sum_chars(c));
    printf("one %d\n", get_one((struct one){ -321 }));
    printf("longs %ld\n", sum_longs(l));
    printf("three %.2f\n", sum_three((struct three){ 0.25f, 0.5f, 0.75f }));
    printf("odd %d\n", sum_odd((struct odd){ 'A', 100000, -3 }));
    printf("tail %.1f\n", sum_tail((struct empty_tail){ 0.5, { 10, 0, 0, 0, 0, 0, 20 } }));
    printf("many %.3f\n", many(1, p, 0.125, m, f, c, l));
    struct ints q = modify(p);
    printf("copy %d %d, original %d %d\n", q.a, q.b, p.a, p.b);
    q = modify(modify(q));
    printf("twice %d %d\n", q.a, q.b);
    return sum_ints(p);
}
