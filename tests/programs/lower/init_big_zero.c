// Large zero-initialized objects, tentative definitions, commons, and data that starts zero but has one set element.
#include <stdio.h>
#include <string.h>
#include <stdint.h>

static char megabyte[1 << 20];
static struct {
    int before;
    double cells[300][40];
    int after;
} huge = { .after = 77 };
static uint64_t one_set[5000] = { [4321] = 0xdeadbeef };
int tentative[100];
int tentative[100];
extern int tentative_scalar;
int tentative_scalar;
static int declared_later[8];

static int use_early(int i) { return declared_later[i]; }
static int declared_later[8] = { 8, 7, 6, 5 };

static long sum_bytes(const void *p, size_t n)
{
    long total = 0;
    for (const unsigned char *b = p; n--; b++)
        total += *b;
    return total;
}

static size_t first_nonzero(const uint64_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return i;
    return n;
}

int main(void)
{
    printf("zero %ld %ld %ld\n", sum_bytes(megabyte, 5000), sum_bytes(megabyte + sizeof megabyte - 1000, 1000),
           sum_bytes(tentative, sizeof tentative));
    megabyte[0] = 1;
    megabyte[sizeof megabyte - 1] = 2;
    megabyte[1 << 19] = 3;
    printf("ends %d %d %d\n", megabyte[0], megabyte[(1 << 20) - 1], megabyte[524288]);
    printf("huge %d %d %g\n", huge.before, huge.after, huge.cells[299][39]);
    huge.cells[150][20] = 2.5;
    double total = 0;
    for (int i = 140; i < 160; i++)
        for (int j = 0; j < 40; j++)
            total += huge.cells[i][j];
    printf("total %g size %zu\n", total, sizeof huge);
    size_t at = first_nonzero(one_set, 5000);
    printf("set at %zu is %llx\n", at, (unsigned long long)one_set[at]);
    tentative[50]++;
    tentative_scalar -= 9;
    printf("tentative %d %d %d\n", tentative[49], tentative[50], tentative_scalar);
    printf("later %d %d %d\n", use_early(0), use_early(3), use_early(4));
    char local[512] = { 0 };
    char partly[64] = "x";
    printf("local %ld partly %ld\n", sum_bytes(local, sizeof local), sum_bytes(partly, sizeof partly));
    memset(megabyte + 100, 5, 1000);
    printf("set %ld\n", sum_bytes(megabyte, 2000));
    return megabyte[100] * 3;
}
