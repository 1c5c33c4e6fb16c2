// Euclid's algorithm without its test takes the remainder by zero.
// sanitizer: undefined
#include <stdio.h>
#include <stdint.h>

static uint64_t gcd(uint64_t a, uint64_t b)
{
    for (int i = 0; i < 10; i++) {
        uint64_t t = a % b; //~ div-by-zero
        a = b;
        b = t;
        if (a == 6)
            return a;
    }
    return a;
}

int main(void)
{
    printf("%llu\n", (unsigned long long)gcd(48, 18));
    printf("%llu\n", (unsigned long long)gcd(49, 21));
    return 0;
}
