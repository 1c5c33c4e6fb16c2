// A checksum over a local array takes one element too many, through a pointer in a callee.
// sanitizer: address
#include <stdio.h>

static unsigned checksum(const unsigned char *bytes, int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31 + bytes[i]; //~ out-of-bounds
    return sum;
}

int main(void)
{
    unsigned char bytes[10] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
    printf("%u\n", checksum(bytes, 10));
    printf("%d\n", checksum(bytes, sizeof bytes + 1) != 0);
    return 0;
}
