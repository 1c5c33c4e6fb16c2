// Variadic functions that receive structs by value: small ones from registers, large ones from memory.
#include <stdio.h>
#include <stdarg.h>

struct ints { int a, b; };
struct reals { double x, y; };
struct mixed { double d; long n; };
struct tiny { char c[3]; };
struct floats { float x, y, z; };
struct large { long v[5]; };

static long sum_ints(int count, ...)
{
    long total = 0;
    va_list ap;
    va_start(ap, count);
    while (count--) {
        struct ints p = va_arg(ap, struct ints);
        total = total * 3 + p.a - p.b;
    }
    va_end(ap);
    return total;
}

static double all_kinds(const char *kinds, ...)
{
    double total = 0;
    va_list ap;
    va_start(ap, kinds);
    for (; *kinds; kinds++) {
        double step = 0;
        switch (*kinds) {
        case 'i': step = va_arg(ap, int); break;
        case 'd': step = va_arg(ap, double); break;
        case 'r': { struct reals r = va_arg(ap, struct reals); step = r.x - r.y; break; }
        case 'm': { struct mixed m = va_arg(ap, struct mixed); step = m.d * (double)m.n; break; }
        case 't': { struct tiny t = va_arg(ap, struct tiny); step = t.c[0] + t.c[1] * 2 + t.c[2] * 4; break; }
        case 'f': { struct floats f = va_arg(ap, struct floats); step = f.x + f.y + f.z; break; }
        case 'l': { struct large l = va_arg(ap, struct large); step = (double)(l.v[0] + l.v[4]); break; }
        }
        printf("%c %g\n", *kinds, step);
        total = total * 0.5 + step;
    }
    va_end(ap);
    return total;
}

static struct large collect(int count, ...)
{
    struct large r = { { 0 } };
    va_list ap;
    va_start(ap, count);
    for (int i = 0; i < count; i++) {
        struct large l = va_arg(ap, struct large);
        for (int k = 0; k < 5; k++)
            r.v[k] += l.v[k] * (i + 1);
    }
    va_end(ap);
    return r;
}

int main(void)
{
    struct ints p = { 5, 2 }, q = { -1, 8 };
    printf("ints %ld %ld\n", sum_ints(2, p, q), sum_ints(8, p, q, p, q, p, q, p, q));
    struct reals r = { 2.5, 0.25 };
    struct mixed m = { 1.5, 10 };
    struct tiny t = { { 1, -1, 2 } };
    struct floats f = { 0.5f, 0.25f, 8.0f };
    struct large l = { { 100, 0, 0, 0, -1 } };
    printf("all %g\n", all_kinds("rimtfldr", r, 7, m, t, f, l, 0.125, r));
    printf("exhausted %g\n", all_kinds("rrrrrmmmmitlm", r, r, r, r, r, m, m, m, m, 3, t, l, m));
    struct large c = collect(3, l, (struct large){ { 1, 2, 3, 4, 5 } }, l);
    printf("collect %ld %ld %ld\n", c.v[0], c.v[1], c.v[4]);
    return (int)c.v[3];
}
