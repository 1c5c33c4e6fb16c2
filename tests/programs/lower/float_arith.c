// Float and double arithmetic: rounding to each precision, accumulated error, division, remainder, square roots.
#include <stdio.h>
#include <math.h>

static float add_f(float a, float b) { return a + b; }
static double add_d(double a, double b) { return a + b; }
static float mul_f(float a, float b) { return a * b; }
static double div_d(double a, double b) { return a / b; }

static double newton_sqrt(double v)
{
    double x = v > 1 ? v : 1;
    for (int i = 0; i < 40; i++)
        x = 0.5 * (x + v / x);
    return x;
}

static double series_exp(double x)
{
    double term = 1, sum = 1;
    for (int i = 1; i < 30; i++) {
        term *= x / i;
        sum += term;
    }
    return sum;
}

static double kahan(const double *v, int n)
{
    double sum = 0, carry = 0;
    for (int i = 0; i < n; i++) {
        double y = v[i] - carry, t = sum + y;
        carry = (t - sum) - y;
        sum = t;
    }
    return sum;
}

int main(void)
{
    printf("%.9g %.17g\n", (double)add_f(0.1f, 0.2f), add_d(0.1, 0.2));
    printf("%.9g %.9g\n", (double)mul_f(1.1f, 1.1f), (double)add_f(16777216.0f, 1.0f));
    printf("%.17g %.17g %.17g\n", div_d(1, 3), div_d(2, 7), div_d(-1e300, 3e-5));
    float f = 0;
    double d = 0;
    for (int i = 0; i < 1000; i++) {
        f += 0.1f;
        d += 0.1;
    }
    printf("sums %.9g %.17g\n", (double)f, d);
    for (double v = 0.25; v < 1000; v *= 7.3)
        printf("sqrt %.17g %.17g %d\n", newton_sqrt(v), sqrt(v), fabs(newton_sqrt(v) - sqrt(v)) < 1e-12 * v + 1e-15);
    printf("exp %.15g %.15g\n", series_exp(1), series_exp(-2.5));
    double parts[] = { 1e16, 1, 1, 1, -1e16, 0.5 };
    double plain = 0;
    for (int i = 0; i < 6; i++)
        plain += parts[i];
    printf("kahan %.17g plain %.17g\n", kahan(parts, 6), plain);
    printf("rounding %g %g %g %g\n", floor(-2.5), ceil(-2.5), floor(1e15 + 0.5), ceil(0.1));
    printf("fmod %.17g %.17g %g\n", fmod(10.5, 3.2), fmod(-10.5, 3.2), fmod(1e10, 7));
    printf("fabs %g %g pow %g %g\n", fabs(-3.5), fabs(0.0), pow(2, 10), pow(9, 0.5));
    f = 1.0f;
    f /= 3;
    f -= 0.25f;
    f *= -8;
    printf("compound %.9g, negated %.9g\n", (double)f, (double)-f);
    printf("increment %.9g\n", (double)++f);
    printf("post-decrement %.9g\n", (double)f--);
    float tiny = 1e-38f;
    for (int i = 0; i < 5; i++)
        tiny /= 10;
    printf("subnormal %.9g %d\n", (double)tiny, tiny > 0);
    return (int)series_exp(4);
}
