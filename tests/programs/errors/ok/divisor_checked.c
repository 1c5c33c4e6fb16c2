// Looks like div-by-zero: divisors that may be zero are tested or made non-zero; floating division by zero is defined.
#include <stdint.h>
#include <stdio.h>

static int average(const int *values, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    return n ? sum / n : 0;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

int main(void)
{
    int values[3] = { 1, 2, 6 };
    printf("%d %d\n", average(values, 3), average(values, 0));
    printf("%llu\n", (unsigned long long)gcd(49, 0));
    int sum = 0;
    for (int i = -3; i <= 3; i++)
        if (i != 0 && 60 / i > 0)
            sum += 60 / i;
    printf("%d\n", sum);
    unsigned shift = 13, unit = 4096;
    printf("%u\n", 1000000u / ((unit >> shift) | 1));
    double zero = (double)sum - 110;
    printf("%d\n", 1 / zero > 1e308);
    return 0;
}
