// The low half of a union is written and the whole word is compared.
// sanitizer: memory
#include <stdio.h>
#include <stdint.h>

union word {
    uint32_t low;
    uint64_t whole;
};

int main(void)
{
    union word a, b;
    a.whole = 7;
    b.low = 7;
    printf("%d\n", a.low == b.low);
    if (a.whole == b.whole) //~ uninit-read
        printf("same\n");
    return 0;
}
