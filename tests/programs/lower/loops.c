// Loops of every shape: for, while, do, empty bodies, several induction variables, break, continue, early return.
#include <stdio.h>

static int count_do(unsigned v)
{
    int digits = 0;
    do {
        digits++;
        v /= 10;
    } while (v);
    return digits;
}

static int two_variables(int n)
{
    int crossings = 0;
    for (int i = 0, j = n; i < j; i += 2, j--)
        crossings += i * j;
    return crossings;
}

static int infinite_with_exits(int seed)
{
    for (int rounds = 0;; rounds++) {
        seed = (seed * 31 + rounds) % 1009;
        if (seed % 17 == 3)
            return seed;
        if (seed % 13 == 5)
            break;
        if (seed % 2)
            continue;
        seed++;
    }
    return -seed;
}

static long nested_labels(int n)
{
    long total = 0;
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (1) {
            if (j++ > i)
                break;
            if (j == 2)
                continue;
            int k = j;
            do {
                total += k;
                if (total % 11 == 0)
                    break;
            } while (--k > 0);
        }
    }
    return total;
}

static int backwards(const int *a, unsigned n)
{
    int value = 0;
    for (unsigned i = n; i-- > 0;)
        value = value * 3 + a[i];
    return value;
}

static unsigned sieve(unsigned limit)
{
    static unsigned char composite[200];
    unsigned primes = 0;
    for (unsigned p = 2; p < limit; p++) {
        if (composite[p])
            continue;
        primes++;
        for (unsigned m = p * p; m < limit; m += p)
            composite[m] = 1;
    }
    return primes;
}

int main(void)
{
    printf("digits %d %d %d\n", count_do(0), count_do(99), count_do(4294967295u));
    printf("two %d %d\n", two_variables(10), two_variables(1));
    for (int s = 1; s < 6; s++)
        printf("exits %d\n", infinite_with_exits(s));
    printf("nested %ld\n", nested_labels(7));
    int a[] = { 1, 2, 0, 2, 1 };
    printf("backwards %d\n", backwards(a, 5));
    const char *s = "measure me", *p = s;
    while (*p++)
        ;
    printf("length %d\n", (int)(p - s - 1));
    int i = 0;
    for (; i * i < 500; ++i) {
    }
    printf("root %d\n", i);
    while (i --> 20)
        printf("down %d\n", i);
    do
        i += 7;
    while (i < 0);
    printf("after %d, never %d\n", i, ({ int n = 0; while (n) n--; n; }));
    printf("primes %u\n", sieve(200));
    return (int)sieve(10);
}
