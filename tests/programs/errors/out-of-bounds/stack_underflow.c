// A negative index from a failed lookup writes before a local array.
// sanitizer: address
#include <stdio.h>

static int slot_of(char c)
{
    return c >= 'a' && c <= 'h' ? c - 'a' : -1;
}

static int count(const char *s)
{
    int slots[8] = { 0 };
    for (; *s; s++)
        slots[slot_of(*s)]++; //~ out-of-bounds
    return slots[2];
}

int main(void)
{
    printf("%d\n", count("cab"));
    printf("%d\n", count("c!"));
    return 0;
}
