// goto into and out of loops: entering a while body, leaving nested loops, retry labels, and cleanup chains.
#include <stdio.h>
#include <stdlib.h>

static int enter_while(int skip_test, int n)
{
    int log = 0;
    if (skip_test)
        goto body;
    while (n > 0) {
        log = log * 10 + n;
    body:
        log += 5;
        n -= 2;
    }
    return log;
}

static int enter_for(int at)
{
    int i = at, sum = 0;
    goto middle;
    for (i = 0; i < 5; i++) {
        sum += 100;
    middle:
        if (i == 3)
            continue;
        sum += i;
    }
    return sum;
}

static int leave_nested(int wanted)
{
    int i, j, k = 0;
    for (i = 1; i < 10; i++)
        for (j = i; j < 10; j++)
            for (k = 0; k < 3; k++)
                if (i * j + k == wanted)
                    goto found;
    return -1;
found:
    return i * 100 + j * 10 + k;
}

static int acquire(int fail_at)
{
    int result = -1;
    char *a = NULL, *b = NULL, *c = NULL;
    if (fail_at == 1 || !(a = malloc(10)))
        goto fail_a;
    if (fail_at == 2 || !(b = malloc(20)))
        goto fail_b;
    if (fail_at == 3 || !(c = malloc(30)))
        goto fail_c;
    result = 0;
    free(c);
    result += 1;
fail_c:
    free(b);
    result += 10;
fail_b:
    free(a);
    result += 100;
fail_a:
    return result;
}

static int retry(int attempts)
{
    int failures = 0, value = 17;
again:
    value = value * 5 % 23;
    if (value > 4 && failures < attempts) {
        failures++;
        goto again;
    }
    return failures * 100 + value;
}

int main(void)
{
    for (int n = 0; n < 7; n += 2)
        printf("while %d %d\n", enter_while(0, n), enter_while(1, n));
    for (int at = 0; at < 7; at++)
        printf("for %d %d\n", at, enter_for(at));
    printf("nested %d %d %d\n", leave_nested(31), leave_nested(82), leave_nested(1000));
    for (int f = 0; f < 5; f++)
        printf("acquire %d\n", acquire(f));
    printf("retry %d %d\n", retry(2), retry(100));
    return leave_nested(20) & 0x7f;
}
