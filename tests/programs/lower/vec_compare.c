// Vector comparisons give lanes of all ones or zeros: masks, blends, counting, select with ?: and reductions.
#include <stdio.h>
#include <stdint.h>

typedef int v4si __attribute__((vector_size(16)));
typedef unsigned v4ui __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
typedef signed char v16qi __attribute__((vector_size(16)));
typedef long v2di __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(16)));

static void show(const char *what, v4si v) { printf("%-6s %d %d %d %d\n", what, v[0], v[1], v[2], v[3]); }

static v4si blend(v4si mask, v4si a, v4si b) { return (a & mask) | (b & ~mask); }
static v4si maximum(v4si a, v4si b) { return blend(a > b, a, b); }

static int any(v4si mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }

static int count(v16qi haystack, signed char needle)
{
    v16qi equal = haystack == needle;
    int n = 0;
    for (int i = 0; i < 16; i++)
        n -= equal[i];
    return n;
}

int main(void)
{
    v4si a = { 1, -5, 7, 7 }, b = { 2, -6, 7, -7 };
    show("eq", a == b);
    show("ne", a != b);
    show("lt", a < b);
    show("le", a <= b);
    show("gt", a > b);
    show("ge", a >= b);
    show("ult", (v4si)((v4ui)a < (v4ui)b));
    show("max", maximum(a, b));
    printf("any %d %d\n", any(a > 100), any(a < 0));

    float nan = __builtin_nanf("");
    v4sf f = { 1.5f, nan, -0.0f, 2.0f }, g = { 1.5f, 1.0f, 0.0f, nan };
    show("feq", f == g);
    show("fne", f != g);
    show("flt", f < g);
    show("fle", f <= g);
    show("fge", f >= g);

    v16qi text = { 'm', 'i', 's', 's', 'i', 's', 's', 'i', 'p', 'p', 'i', ' ', 'a', 's', 'i', 's' };
    printf("count %d %d %d\n", count(text, 's'), count(text, 'i'), count(text, 'q'));

    v2df x = { 1.25, -3.0 }, y = { 1.0, 4.0 };
    v2di less = x < y;
    printf("double %ld %ld\n", less[0], less[1]);
    v4si clamped = a;
    for (int i = 0; i < 3; i++) {
        v4si low = { -4, -4, -4, -4 };
        clamped = blend(clamped < low, low, clamped - 3);
        show("clamp", clamped);
    }
    v4si prefix = a;
    for (int i = 1; i < 4; i++)
        prefix[i] += prefix[i - 1];
    show("prefix", prefix);
    return any(a == b) * 4 + count(text, 'p');
}
