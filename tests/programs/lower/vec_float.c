// Float and double vectors: lane-wise arithmetic, conversion to and from scalars, dot products, and vectors by value.
#include <stdio.h>

typedef float v4sf __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(16)));
typedef float v2sf __attribute__((vector_size(8)));

static void show(const char *what, v4sf v)
{
    printf("%s %g %g %g %g\n", what, (double)v[0], (double)v[1], (double)v[2], (double)v[3]);
}

static float dot(v4sf a, v4sf b)
{
    v4sf p = a * b;
    return p[0] + p[1] + p[2] + p[3];
}

static v4sf transform(const v4sf matrix[4], v4sf v)
{
    v4sf r = { 0 };
    for (int i = 0; i < 4; i++)
        r += matrix[i] * v[i];
    return r;
}

static v2df midpoint(v2df a, v2df b) { return (a + b) / 2; }

static v2sf rotate_quarter(v2sf v) { return (v2sf){ -v[1], v[0] }; }

int main(void)
{
    v4sf a = { 1.5f, -2.25f, 0.0f, 100.0f }, b = { 0.5f, 4.0f, -1.0f, 0.125f };
    show("add", a + b);
    show("sub", a - b);
    show("mul", a * b);
    show("div", a / b);
    show("neg", -a);
    show("scale", a * 3 - 0.5f);
    printf("dot %g\n", (double)dot(a, b));
    const v4sf matrix[4] = { { 0, 1, 0, 0 }, { -1, 0, 0, 0 }, { 0, 0, 2, 0 }, { 5, 6, 7, 1 } };
    v4sf v = { 1, 2, 3, 1 };
    for (int i = 0; i < 4; i++) {
        v = transform(matrix, v);
        show("transform", v);
    }
    v2df m = midpoint((v2df){ 1, 10 }, (v2df){ 2, -10 });
    for (int i = 0; i < 3; i++)
        m = midpoint(m, (v2df){ i, i * i });
    printf("midpoint %.6f %.6f\n", m[0], m[1]);
    v2sf q = { 3, 4 };
    for (int i = 0; i < 5; i++)
        q = rotate_quarter(q);
    printf("quarter %g %g\n", (double)q[0], (double)q[1]);
    v4sf zero = { 0, -0.0f, 1, -1 }, inf = (v4sf){ 1, 1, 1, 1 } / zero;
    printf("infinite %g %g\n", (double)inf[0], (double)inf[1]);
    int index = (int)v[3] + 1;
    a[index] = v[index] * 0.5f;
    show("subscript", a);
    double total = 0;
    for (int i = 0; i < 4; i++)
        total += (double)a[i];
    printf("total %.5f\n", total);
    return (int)dot(b, b);
}
