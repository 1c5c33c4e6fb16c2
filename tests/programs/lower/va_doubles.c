// Variadic functions that mix doubles and integers: separate register classes, overflow of each, promoted floats.
#include <stdio.h>
#include <stdarg.h>

static double mean(int count, ...)
{
    va_list ap;
    va_start(ap, count);
    double total = 0;
    for (int i = 0; i < count; i++)
        total += va_arg(ap, double);
    va_end(ap);
    return count ? total / count : 0;
}

static void interleaved(int pairs, ...)
{
    va_list ap;
    va_start(ap, pairs);
    for (int i = 0; i < pairs; i++) {
        int n = va_arg(ap, int);
        double d = va_arg(ap, double);
        printf("%d:%g ", n, d);
    }
    putchar('\n');
    va_end(ap);
}

static double by_format(double scale, const char *format, ...)
{
    double total = 0;
    va_list ap;
    va_start(ap, format);
    for (; *format; format++)
        total = total * 0.5 + scale * (*format == 'd' ? va_arg(ap, int) : va_arg(ap, double));
    va_end(ap);
    return total;
}

static double polynomial(double x, int degree, ...)
{
    double value = 0;
    va_list ap;
    va_start(ap, degree);
    for (int i = 0; i <= degree; i++)
        value = value * x + va_arg(ap, double);
    va_end(ap);
    return value;
}

int main(void)
{
    float f = 1.1f;
    printf("mean %.4f %.4f\n", mean(3, 1.0, 2.5, 4.0), mean(12, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12.5));
    printf("float %.10f\n", mean(2, f, f * 2));
    interleaved(2, 1, 0.5, 2, 1.5);
    interleaved(11, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5, 10, 10.5, 11, 11.5);
    double total = by_format(2.0, "dfdffddfffffffff", 1, 2.5, -3, 4.0, 5.25, 6, 7, .5, .25, .125, 1., 2., 3., 4.,
                             5., 6.);
    printf("format %.6f\n", total);
    printf("polynomial %g %g\n", polynomial(2, 3, 1.0, 0.0, -2.0, 5.0), polynomial(-0.5, 1, 4.0, 1.0));
    printf("printf %d %.1f %s %c %.2f %ld %.3f %x %.4f %d %.5f\n", 1, 1.5, "s", 'c', 2.25, 3L, 3.125, 255, 4.0625, -5,
           5.5);
    return (int)(mean(2, 10.0, 20.0) * 2);
}
