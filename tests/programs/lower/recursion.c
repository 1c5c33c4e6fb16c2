// Recursion: factorial, Ackermann, towers, permutations, queens and memoized values, each with its own frames.
#include <stdio.h>
#include <string.h>

static unsigned long factorial(unsigned n) { return n ? n * factorial(n - 1) : 1; }

static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static int moves;
static void hanoi(int n, char from, char to, char via)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, via, to);
    moves++;
    if (n == 3)
        printf("%c>%c ", from, to);
    hanoi(n - 1, via, to, from);
}

static void permute(char *s, int at, int *count)
{
    if (!s[at]) {
        if (*count % 5 == 0)
            printf("%s ", s);
        ++*count;
        return;
    }
    for (int i = at; s[i]; i++) {
        char t = s[at]; s[at] = s[i]; s[i] = t;
        permute(s, at + 1, count);
        t = s[at]; s[at] = s[i]; s[i] = t;
    }
}

static int queens(int n, int row, const int *placed)
{
    if (row == n)
        return 1;
    int mine[8], solutions = 0;
    memcpy(mine, placed, sizeof mine);
    for (int c = 0; c < n; c++) {
        int safe = 1;
        for (int r = 0; r < row; r++)
            safe &= mine[r] != c && mine[r] - c != row - r && c - mine[r] != row - r;
        if (safe) {
            mine[row] = c;
            solutions += queens(n, row + 1, mine);
        }
    }
    return solutions;
}

static long binomial(int n, int k)
{
    static long memo[30][30];
    if (k == 0 || k == n)
        return 1;
    return memo[n][k] ? memo[n][k] : (memo[n][k] = binomial(n - 1, k - 1) + binomial(n - 1, k));
}

int main(void)
{
    printf("factorial %lu\n", factorial(20));
    printf("ackermann %u\n", ackermann(2, 5));
    hanoi(5, 'a', 'c', 'b');
    printf("moves %d\n", moves);
    char letters[] = "abcd";
    int count = 0;
    permute(letters, 0, &count);
    printf("count %d %s\n", count, letters);
    int none[8] = { 0 };
    for (int n = 4; n <= 6; n++)
        printf("queens %d: %d\n", n, queens(n, 0, none));
    printf("binomial %ld\n", binomial(28, 14));
    return moves;
}
