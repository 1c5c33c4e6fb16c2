// A union holds a small integer, zero, that is read back as a pointer and dereferenced.
// sanitizer: undefined
#include <stdio.h>
#include <stdint.h>

union value {
    int *pointer;
    uintptr_t number;
};

static int load(union value v, int is_pointer)
{
    if (is_pointer)
        return *v.pointer; //~ null-deref
    return (int)v.number;
}

int main(void)
{
    int target = 8;
    union value a = { .pointer = &target }, b = { .number = 0 };
    printf("%d %d\n", load(a, 1), load(b, 0));
    printf("%d\n", load(b, 1));
    return 0;
}
