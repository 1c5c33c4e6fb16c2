// Irreducible control flow: loops with two entries, crossed jumps, three mutually reachable headers, overlapping loops.
#include <stdio.h>

static int two_entries(int start, int n)
{
    int a = 0, b = 0;
    if (start)
        goto second;
first:
    a += n;
    if (--n <= 0)
        goto done;
second:
    b += n * 2;
    if (--n > 0)
        goto first;
done:
    return a * 1000 + b;
}

static int three_headers(int entry, int fuel)
{
    int trace = 0;
    switch (entry) {
    case 0: goto x;
    case 1: goto y;
    default: goto z;
    }
x:
    trace = (trace * 3 + 1) % 10007;
    if (fuel-- <= 0)
        return trace;
    if (fuel % 2)
        goto z;
y:
    trace = (trace * 5 + 2) % 10007;
    if (fuel-- <= 0)
        return trace;
    if (fuel % 3)
        goto x;
z:
    trace = (trace * 7 + 3) % 10007;
    if (fuel-- <= 0)
        return trace;
    if (fuel % 5)
        goto y;
    goto x;
}

static int overlapping(int n)
{
    int i = 0, steps = 0;
outer:
    i++;
    steps += 1;
inner:
    i += 2;
    steps += 10;
    if (i % 3 == 1 && i < n)
        goto outer;
    if (i < n / 2)
        goto inner;
    steps += 100;
    if (i < n) {
        i += 4;
        goto inner;
    }
    return steps;
}

static int collatz_pair(int a, int b)
{
    int steps = 0;
    if (a > b)
        goto work_b;
work_a:
    while (a != 1) {
        a = a % 2 ? 3 * a + 1 : a / 2;
        steps++;
        if (steps % 4 == 0 && b != 1)
            goto work_b;
    }
    if (b == 1)
        return steps;
work_b:
    while (b != 1) {
        b = b % 2 ? 3 * b + 1 : b / 2;
        steps += 1;
        if (steps % 7 == 0)
            goto work_a;
    }
    if (a != 1)
        goto work_a;
    return steps * 10;
}

int main(void)
{
    for (int n = 0; n < 6; n++)
        printf("two %d %d\n", two_entries(0, n), two_entries(1, n));
    for (int entry = 0; entry < 3; entry++)
        for (int fuel = 0; fuel < 40; fuel += 9)
            printf("three %d %d: %d\n", entry, fuel, three_headers(entry, fuel));
    for (int n = 0; n < 40; n += 6)
        printf("overlap %d\n", overlapping(n));
    printf("collatz %d %d\n", collatz_pair(7, 27), collatz_pair(27, 7));
    return three_headers(1, 25) & 0x7f;
}
