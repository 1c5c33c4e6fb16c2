// Signed arithmetic that is defined to wrap by -fwrapv: no poison-making flags on add, sub, mul and neg.
// flags: -fwrapv
#include <stdio.h>
#include <limits.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int neg(int a) { return -a; }
static long long add_ll(long long a, long long b) { return a + b; }
static long long mul_ll(long long a, long long b) { return a * b; }

static int checked(int a, int b)
{
    int sum = a + b;
    if (b > 0 && sum < a)
        return 1;
    if (b < 0 && sum > a)
        return -1;
    return 0;
}

int main(void)
{
    int samples[] = { 0, 1, -1, 7, -13, 46341, -65536, INT_MAX, INT_MIN, INT_MIN + 1 };
    int n = sizeof samples / sizeof *samples;
    unsigned digest = 17;
    for (int i = 0; i < n; i++) {
        printf("neg %d = %d\n", samples[i], neg(samples[i]));
        for (int j = 0; j < n; j++) {
            int a = samples[i], b = samples[j];
            int s = add(a, b), d = sub(a, b), p = mul(a, b), c = checked(a, b);
            digest = digest * 31 + (unsigned)s;
            digest = digest * 31 + (unsigned)d;
            digest = digest * 31 + (unsigned)p;
            if (c)
                printf("overflow %d + %d -> %d (%d)\n", a, b, s, c);
        }
    }
    printf("digest %08x\n", digest);
    printf("ll %lld %lld %lld\n", add_ll(LLONG_MAX, 1), add_ll(LLONG_MIN, -1), mul_ll(LLONG_MAX, 3));

    int counter = INT_MAX - 2, steps = 0;
    while (counter > 0) {
        counter++;
        steps++;
    }
    printf("counter %d after %d steps\n", counter, steps);
    signed char sc = 127;
    sc++;
    printf("sc %d\n", sc);
    return steps;
}
