// The pointer is kept in a union beside its bits, freed through one member and used through the other.
// sanitizer: address
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>

union handle {
    long *pointer;
    uintptr_t bits;
};

int main(void)
{
    union handle h, tagged;
    h.pointer = malloc(sizeof(long));
    if (!h.pointer)
        return 1;
    *h.pointer = 99;
    tagged.bits = h.bits | 1;
    printf("%ld\n", *h.pointer);
    free(h.pointer);
    tagged.bits &= ~(uintptr_t)1;
    long value = *tagged.pointer; //~ use-after-free
    printf("%ld\n", value);
    return 0;
}
