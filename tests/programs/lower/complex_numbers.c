// _Complex float and double: arithmetic, real and imaginary parts, conjugates, comparison, passing and returning.
// flags: -fcx-limited-range
#include <stdio.h>

typedef double _Complex dcomplex;
typedef float _Complex fcomplex;

static dcomplex make(double re, double im)
{
    dcomplex z;
    __real__ z = re;
    __imag__ z = im;
    return z;
}

static void show(const char *what, dcomplex z) { printf("%s %.6f %.6f\n", what, __real__ z, __imag__ z); }

static double norm(dcomplex z) { return __real__ z * __real__ z + __imag__ z * __imag__ z; }

static int escapes(dcomplex c)
{
    dcomplex z = 0;
    for (int i = 0; i < 50; i++) {
        z = z * z + c;
        if (norm(z) > 4)
            return i;
    }
    return 50;
}

static fcomplex scale(fcomplex z, float by) { return z * by; }

struct signal {
    int n;
    dcomplex samples[4];
};

static struct signal transform(struct signal s)
{
    static const double turn[4][2] = { { 1, 0 }, { 0, -1 }, { -1, 0 }, { 0, 1 } };
    struct signal r = { s.n, { 0 } };
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++)
            r.samples[k] += s.samples[j] * make(turn[j * k % 4][0], turn[j * k % 4][1]);
    return r;
}

int main(void)
{
    dcomplex a = make(1.5, -2), b = make(0.25, 4);
    show("sum", a + b);
    show("difference", a - b);
    show("product", a * b);
    show("quotient", a / b);
    show("negated", -a);
    show("conjugate", ~a);
    show("with real", a * 2 + 1.5);
    show("by real", a / 4);
    printf("equal %d %d %d\n", a == b, a == make(1.5, -2), a != b);
    printf("norm %g truth %d %d\n", norm(b), a ? 1 : 0, make(0, 0) ? 1 : 0);
    a *= b;
    a += 1;
    a -= make(0, 1);
    show("compound", a);
    fcomplex f = scale((fcomplex)b, 0.5f);
    printf("float %g %g size %zu\n", (double)__real__ f, (double)__imag__ f, sizeof f);
    for (int row = -2; row <= 2; row++) {
        for (int column = -4; column <= 1; column++)
            printf("%3d", escapes(make(column / 2.0, row / 2.0)));
        putchar('\n');
    }
    struct signal s = { 4, { make(1, 0), make(2, -1), make(0, -1), make(-1, 2) } };
    s = transform(s);
    for (int i = 0; i < 4; i++)
        show("transformed", s.samples[i]);
    double real_part = (double)a;
    int truncated = (int)b;
    printf("to real %g %d\n", real_part, truncated);
    return escapes(make(0.3, 0.5));
}
