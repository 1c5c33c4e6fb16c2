// Comparisons of doubles with NaN, infinities and signed zeros: every operator and the standard macros.
#include <stdio.h>
#include <math.h>

static int all_compares(double a, double b)
{
    int bits = 0;
    bits |= (a == b) << 0;
    bits |= (a != b) << 1;
    bits |= (a < b) << 2;
    bits |= (a <= b) << 3;
    bits |= (a > b) << 4;
    bits |= (a >= b) << 5;
    bits |= !(a < b) << 6;
    bits |= isunordered(a, b) << 7;
    bits |= isgreater(a, b) << 8;
    bits |= islessgreater(a, b) << 9;
    bits |= islessequal(a, b) << 10;
    return bits;
}

static const char *name(double v)
{
    if (v != v)
        return "nan";
    if (v > 1e308 * 10)
        return "+inf";
    if (v < -1e308 * 10)
        return "-inf";
    if (v == 0)
        return 1 / v > 0 ? "+0" : "-0";
    return v > 0 ? "positive" : "negative";
}

static int branch(float a, float b)
{
    if (a < b)
        return 1;
    else if (a > b)
        return 2;
    else if (a == b)
        return 3;
    return 4;
}

int main(void)
{
    double inf = INFINITY, nan = NAN, zero = 0.0;
    double values[] = { 0.0, -0.0, 1.5, -1.5, inf, -inf, nan, 5e-324 };
    int n = sizeof values / sizeof *values;
    for (int i = 0; i < n; i++) {
        printf("%-8s", name(values[i]));
        for (int j = 0; j < n; j++)
            printf(" %03x", all_compares(values[i], values[j]));
        putchar('\n');
    }
    for (int i = 0; i < n; i++)
        printf("%d%d%d%d ", isnan(values[i]) != 0, isinf(values[i]) != 0, isfinite(values[i]) != 0,
               signbit(values[i]) != 0 && !isnan(values[i]));
    putchar('\n');
    printf("inf - inf %s, inf * 0 %s, 0 / 0 %s, 1 / -0 %s, -inf * -1 %s\n", name(inf - inf), name(inf * zero),
           name(zero / (values[0] + zero)), name(1 / values[1]), name(-inf * -1));
    printf("zero equals minus zero %d, truth of nan %d, of -0 %d\n", values[0] == values[1], nan ? 1 : 0,
           values[1] ? 1 : 0);
    printf("branch %d %d %d %d\n", branch(1, 2), branch(2, 1), branch(-0.0f, 0.0f), branch((float)nan, 1));
    printf("0.1 + 0.2 == 0.3 is %d, float is %d\n", 0.1 + 0.2 + zero == 0.3, 0.1f + (float)zero == 0.1f);
    double smallest = inf, largest = -inf;
    for (int i = 0; i < n; i++) {
        smallest = values[i] < smallest ? values[i] : smallest;
        largest = values[i] > largest ? values[i] : largest;
    }
    printf("range %s %s\n", name(smallest), name(largest));
    return all_compares(nan, nan) & 0x7f;
}
