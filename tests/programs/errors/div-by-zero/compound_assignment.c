// A compound remainder assignment on a narrow type divides by a byte that a callback set to zero.
// sanitizer: undefined
#include <stdio.h>

static unsigned char step = 3;

static void halve(void) { step /= 2; }

static short spread(short value, void (*update)(void))
{
    for (int i = 0; i < 3; i++) {
        value %= step; //~ div-by-zero
        update();
        value += 10;
    }
    return value;
}

int main(void)
{
    printf("%d\n", spread(100, halve));
    return 0;
}
