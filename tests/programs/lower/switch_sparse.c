// Sparse switches: far-apart constants, negative values, GNU case ranges, and conditions of narrow types.
#include <stdio.h>
#include <limits.h>

static int sparse(int v)
{
    switch (v) {
    case INT_MIN: return 1;
    case -1000000: return 2;
    case -1: return 3;
    case 0: return 4;
    case 77: return 5;
    case 65536: return 6;
    case 1000000007: return 7;
    case INT_MAX: return 8;
    }
    return 0;
}

static char grade(int score)
{
    switch (score) {
    case 90 ... 100: return 'A';
    case 75 ... 89: return 'B';
    case 50 ... 74: return 'C';
    case INT_MIN ... -1: return '-';
    case 101 ... INT_MAX: return '+';
    default: return 'F';
    }
}

static int by_char(signed char c)
{
    switch (c) {
    case -128: return -1;
    case 127: return 1;
    case 'A' ... 'Z': return c - 'A' + 100;
    case 'a' ... 'z': return c - 'a' + 200;
    default: return 0;
    }
}

static int by_short(unsigned short s)
{
    switch (s) {
    case 0xffff: return 1;
    case 0x8000: return 2;
    case 0x00ff: return 3;
    }
    return 4;
}

static int by_condition(int a, int b)
{
    switch ((a > b) * 2 + (a == b)) {
    case 0: return -1;
    case 1: return 0;
    default: return 1;
    }
}

int main(void)
{
    int samples[] = { INT_MIN, INT_MIN + 1, -1000000, -1, 0, 1, 77, 65536, 65537, 1000000007, INT_MAX };
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++)
        printf("%d -> %d\n", samples[i], sparse(samples[i]));
    int scores[] = { INT_MIN, -1, 0, 49, 50, 74, 75, 89, 90, 100, 101, INT_MAX };
    for (unsigned i = 0; i < sizeof scores / sizeof *scores; i++)
        putchar(grade(scores[i]));
    putchar('\n');
    for (int c = -128; c < 128; c += 15)
        printf("%d ", by_char((signed char)c));
    printf("\n%d %d %d %d\n", by_short(0xffff), by_short(0x8000), by_short(255), by_short(256));
    printf("%d %d %d\n", by_condition(1, 2), by_condition(2, 2), by_condition(3, 2));
    return sparse(77) * 10 + sparse(-1);
}
