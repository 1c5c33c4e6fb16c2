// Each case of a switch has its own buffer, and the chosen one is copied after the switch.
// sanitizer: address
#include <stdio.h>
#include <string.h>

static int pick(int which, long *out)
{
    const long *source = out;
    switch (which) {
    case 0: {
        long a[2] = { 1, 2 };
        source = a;
        break;
    }
    case 1: {
        long b[2] = { 3, 4 };
        source = b;
        break;
    }
    default:
        break;
    }
    memcpy(out, source, which < 2 ? sizeof(long) : 0); //~ use-after-scope
    return (int)out[0];
}

int main(void)
{
    long out[2] = { 9, 9 };
    printf("%d\n", pick(5, out));
    printf("%d\n", pick(1, out));
    return 0;
}
