// A 64-bit divisor becomes zero when its high part is shifted out.
// sanitizer: undefined
#include <stdio.h>
#include <stdint.h>

static int64_t ratio(int64_t total, int64_t unit, int shift)
{
    int64_t divisor = unit >> shift;
    return total / divisor; //~ div-by-zero
}

int main(void)
{
    printf("%lld\n", (long long)ratio(-1000000000000, 4096, 4));
    printf("%lld\n", (long long)ratio(1000000000000, 4096, 13));
    return 0;
}
