// Variable-length arrays in loops and blocks: a fresh size each round, goto and break out of their scope.
#include <stdio.h>

static int triangle(int n)
{
    int total = 0;
    for (int i = 1; i <= n; i++) {
        int row[i];
        row[0] = row[i - 1] = 1;
        for (int j = 1; j < i - 1; j++)
            row[j] = row[j - 1] + j;
        for (int j = 0; j < i; j++)
            total += row[j];
        printf("row %d size %zu total %d\n", i, sizeof row, total);
    }
    return total;
}

static int leave_early(int limit)
{
    int found = -1;
    for (int n = 1; n < 20; n++) {
        char marks[n * 2];
        for (int i = 0; i < n * 2; i++)
            marks[i] = (char)(i % 5);
        if (n == 3)
            continue;
        if (marks[n] == 4 && n > limit) {
            found = n;
            break;
        }
        if (n == 12)
            goto out;
    }
out:
    return found;
}

static long blocks(int n)
{
    long sum = 0;
    if (n > 2) {
        long a[n];
        for (int i = 0; i < n; i++)
            a[i] = i;
        {
            long b[n * 2];
            for (int i = 0; i < n * 2; i++)
                b[i] = a[i / 2] + 1;
            sum += b[n * 2 - 1];
        }
        sum += a[n - 1];
    } else {
        short c[3 - n];
        c[0] = 7;
        sum = c[0];
    }
    return sum;
}

static int retry(int n)
{
    int rounds = 0;
again:;
    unsigned buffer[n];
    for (int i = 0; i < n; i++)
        buffer[i] = (unsigned)(i * n);
    rounds++;
    if (buffer[n - 1] < 50) {
        n += 3;
        goto again;
    }
    return rounds * 1000 + n;
}

int main(void)
{
    int total = triangle(7);
    printf("early %d %d %d\n", leave_early(0), leave_early(5), leave_early(100));
    printf("blocks %ld %ld %ld\n", blocks(5), blocks(2), blocks(-4));
    printf("retry %d\n", retry(2));
    for (int i = 0; i < 500; i++) {
        int big[1000 + i];
        big[999 + i] = i;
        total += big[999 + i] & 1;
    }
    printf("total %d\n", total);
    return total & 0x7f;
}
