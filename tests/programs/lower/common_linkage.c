// Common symbols: tentative definitions under -fcommon, beside static and initialized ones of the same types.
// flags: -fcommon
#include <stdio.h>
#include <stdint.h>

int counter;
int counter;
double table[5];
struct pair {
    char c;
    long n;
} shared;
char *names[3];
_Alignas(64) unsigned char line[100];
static int private_counter;
int initialized = 3;
extern int initialized;

static int *address_of(int which)
{
    int *all[] = { &counter, &private_counter, &initialized };
    return all[which];
}

static int *const constant_address = &counter;
static double *middle = &table[2];

int main(void)
{
    printf("zero %d %g %ld %d\n", counter, table[4], shared.n, names[2] == NULL);
    for (int i = 0; i < 3; i++)
        *address_of(i) += 10 * (i + 1);
    printf("counters %d %d %d\n", counter, private_counter, initialized);
    *constant_address -= 4;
    *middle = 2.5;
    middle[2] = table[2] * 2;
    printf("through pointers %d %g %g\n", counter, table[2], table[4]);
    shared = (struct pair){ 'p', 1L << 40 };
    struct pair copy = shared;
    shared.n++;
    printf("pair %c %ld %ld\n", copy.c, copy.n, shared.n - copy.n);
    names[0] = "first";
    names[1] = names[0] + 2;
    printf("names %s %s\n", names[0], names[1]);
    line[99] = 9;
    printf("line %d aligned %d\n", line[99] + line[0], (int)((uintptr_t)line % 64));
    return counter + initialized;
}
