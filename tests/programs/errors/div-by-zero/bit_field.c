// A value is truncated to zero by a narrow bit-field and then divides.
// sanitizer: undefined
#include <stdio.h>

struct timing {
    unsigned divider : 3;
    unsigned base : 20;
};

static unsigned frequency(struct timing t)
{
    return t.base / t.divider; //~ div-by-zero
}

int main(void)
{
    struct timing t = { .base = 9000 };
    for (unsigned d = 6; d <= 8; d++) {
        t.divider = d & 7;
        printf("%u\n", frequency(t));
    }
    return 0;
}
