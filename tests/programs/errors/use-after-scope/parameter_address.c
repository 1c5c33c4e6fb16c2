// A registered callback target is the address of a parameter of a call that has returned.
// sanitizer: address
#include <stdio.h>

static int *current;

static void watch(int value)
{
    current = &value;
    *current += 1;
    printf("watching %d\n", value);
}

static int poll(void)
{
    return *current; //~ use-after-scope
}

int main(void)
{
    watch(7);
    return poll() == -1;
}
