// A stack in a global array is popped while empty.
// sanitizer: address
#include <stdio.h>

static long before[8];
static long stack[8];
static int top;

static void push(long v) { stack[top++] = v; }
static long pop(void) { return stack[--top]; } //~ out-of-bounds

int main(void)
{
    push(7);
    printf("%ld %ld\n", pop(), before[7]);
    long empty = pop();
    return empty != 0;
}
