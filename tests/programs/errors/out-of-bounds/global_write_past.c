// A ring buffer in a global array forgets to wrap its write position.
// sanitizer: address
#include <stdio.h>

static short ring[6];
static unsigned head;

static void put(short value)
{
    ring[head] = value; //~ out-of-bounds
    head++;
}

int main(void)
{
    for (short i = 0; i < 6; i++)
        put(i);
    printf("%u %d\n", head, ring[5]);
    put(6);
    return 0;
}
