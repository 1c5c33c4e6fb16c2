// Static locals: one per function and per block, kept across calls and recursion, arrays, pointers and initial values.
#include <stdio.h>

static int counter(void)
{
    static int n = 5;
    return n++;
}

static int other_counter(void)
{
    static int n;
    return n += 10;
}

static int blocks(int which)
{
    if (which) {
        static int n = 100;
        return n++;
    }
    static int n = 200;
    return n--;
}

static const char *hex(unsigned v)
{
    static char buffers[4][12];
    static unsigned turn;
    char *b = buffers[turn++ % 4];
    sprintf(b, "%x", v);
    return b;
}

static int depth(int n)
{
    static int calls, deepest;
    calls++;
    if (n > deepest)
        deepest = n;
    return n < 4 ? depth(n + 1) + depth(n + 2) : calls * 100 + deepest;
}

static unsigned next_random(void)
{
    static unsigned state = 2463534242u;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static int *slot(int i)
{
    static int cells[3] = { 7, 8, 9 };
    return &cells[i];
}

static long lazy(int i)
{
    static long table[20];
    static int ready = 0;
    if (!ready) {
        table[0] = 1;
        for (int k = 1; k < 20; k++)
            table[k] = table[k - 1] * 3 % 1009;
        ready = 1;
        puts("table built");
    }
    return table[i];
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        int a = counter(), b = other_counter();
        printf("%d %d ", a, b);
        a = blocks(1);
        b = blocks(0);
        printf("%d %d\n", a, b);
    }
    const char *a = hex(255), *b = hex(4096), *c = hex(0xdead);
    printf("%s %s %s\n", a, b, c);
    printf("depth %d", depth(0));
    printf(" %d\n", depth(3));
    for (int i = 0; i < 4; i++)
        printf("%08x ", next_random());
    *slot(1) += 100;
    printf("\nslots %d %d %d\n", *slot(0), *slot(1), *slot(2));
    printf("lazy %ld", lazy(5));
    printf(" %ld\n", lazy(19));
    return counter();
}
