// printf of floating values: every conversion, widths, precisions, flags, rounding to even, specials and exponents.
#include <stdio.h>
#include <math.h>

int main(void)
{
    double values[] = { 0, 1, -1, 0.5, 2.5, 3.5, 123456789, 1e-5, 1e5, 999999.5, 1e15, 1e16, 1e17, 0.1, 1.0 / 3, 1e100,
                        1.7976931348623157e308, 2.2250738585072014e-308, 5e-324 };
    int n = sizeof values / sizeof *values;
    for (int i = 0; i < n; i++)
        printf("%g|%e|%.3e|%.0e|%.17g|%G\n", values[i], values[i], values[i], values[i], values[i], values[i]);
    for (int i = 0; i < 15; i++)
        printf("%f|%.0f|%.1f|%10.2f|%-10.2f|%010.2f\n", values[i], values[i], values[i], values[i], values[i],
               values[i]);
    printf("%+f|% f|%#.0f|%#g|%+.2e\n", 1.5, 1.5, 1.0, 1.0, -1.5);
    printf("%.0f %.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, 3.5, -0.5);
    printf("%.2f %.2f %.2f %.2f\n", 1.005, 1.015, 1.025, 2.675);
    printf("%.20f %.25f\n", 0.1, 0.5);
    printf("%.40g\n", 0.1);
    printf("%a %a %a %.2a\n", 1.0, 0.1, -2.5, 1.999);
    printf("%f %e %g %F %5f|%-6f|%+f\n", INFINITY, INFINITY, -INFINITY, INFINITY, INFINITY, INFINITY, INFINITY);
    double nan = NAN;
    nan = fabs(nan);
    printf("%f %G %08f\n", nan, nan, nan);
    printf("%g %g %.1f\n", -0.0, 0.0, -0.04);
    printf("%*.*f|%-*.*e|%.*g\n", 12, 3, 3.14159265, 14, 2, 31415.9265, 4, 314.159265);
    float f = 0.1f;
    printf("%.9g %.10f\n", (double)f, (double)f);
    printf("%g %g %g %g\n", 100000.0, 1000000.0, 0.0001, 0.00001);
    printf("%.3g %.10g %#.3g\n", 1234.5678, 1234.5678, 2.0);
    char buffer[64];
    size_t room = 8;
    int length = snprintf(buffer, room, "%.6f", 12345.678);
    printf("%s %d\n", buffer, length);
    length = sprintf(buffer, "%5.1f%%", 99.95);
    printf("%s %d\n", buffer, length);
    return length;
}
