// Looks like out-of-bounds: loops touch the last element, form the address after it, and walk back to the first.
#include <stdio.h>
#include <stdlib.h>

static int table[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

int main(void)
{
    int total = 0;
    for (int month = 1; month <= 12; month++)
        total += table[month - 1];
    printf("%d\n", total);
    int n = 6, *values = malloc((size_t)n * sizeof *values);
    if (!values)
        return 1;
    for (int *p = values; p != values + n; p++)
        *p = (int)(p - values);
    int *p = values + n;
    while (p > values)
        total -= *--p;
    printf("%d\n", total);
    char word[6] = { 0 };
    for (unsigned i = 0; i < sizeof word - 1; i++)
        word[i] = (char)('a' + i);
    printf("%s\n", word);
    free(values);
    return 0;
}
