// Division and remainder of every width: truncation toward zero, signs of remainders, large unsigned quotients.
#include <stdio.h>
#include <limits.h>
#include <stdint.h>

static void signed_pair(int a, int b)
{
    printf("%d / %d = %d, %% = %d\n", a, b, a / b, a % b);
}

static int floor_div(int a, int b)
{
    int q = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

static unsigned gcd(unsigned a, unsigned b)
{
    while (b) {
        unsigned t = a % b;
        a = b;
        b = t;
    }
    return a;
}

static uint64_t power_mod(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    uint64_t result = 1 % modulus;
    for (base %= modulus; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = result * base % modulus;
        base = base * base % modulus;
    }
    return result;
}

int main(void)
{
    signed_pair(7, 2);
    signed_pair(-7, 2);
    signed_pair(7, -2);
    signed_pair(-7, -2);
    signed_pair(INT_MIN, 3);
    signed_pair(INT_MIN + 1, -1);
    signed_pair(0, -5);
    printf("floor %d %d %d\n", floor_div(-7, 2), floor_div(7, -2), floor_div(-8, 2));

    unsigned big = 4000000000u;
    printf("unsigned %u %u, as signed %d\n", big / 7, big % 7, (int)big / 7);
    printf("mixed %u\n", -10 / 3u);

    int64_t s64 = INT64_MIN + 12345;
    uint64_t u64 = UINT64_MAX - 98765;
    printf("64 %lld %lld %llu %llu\n", (long long)(s64 / 1000003), (long long)(s64 % 1000003),
           (unsigned long long)(u64 / 1000003), (unsigned long long)(u64 % 1000003));

    signed char c = -128;
    short h = -32768;
    unsigned char uc = 200;
    c /= 3;
    h %= 1000;
    uc /= 7;
    printf("narrow %d %d %d\n", c, h, uc);
    printf("char -128 / -1 promotes to %d\n", (signed char)-128 / -1);

    printf("gcd %u %u\n", gcd(1071, 462), gcd(4000000000u, 2500000000u));
    printf("power %llu\n", (unsigned long long)power_mod(7, 1000000006, 1000000007));
    for (int d = -4; d <= 4; d++)
        if (d)
            printf("sixteen by powers %d: %d %d\n", d, -17 / d, -17 % d);
    return (int)gcd(84, 36);
}
