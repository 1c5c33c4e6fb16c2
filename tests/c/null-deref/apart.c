// Where blocks lie is nobody's choice, but they do not overlap, and begin at multiples of 16.
// args: --latent --only null-deref --skip doomed
#include "../stubs.h"

void overlapping_ok(void)
{
    char *p = malloc(8), *q = malloc(8);
    int *n = NULL;
    if (p && q && q - p == 4)
        *n = 1;
    free(p);
    free(q);
}

void neighbors_latent(void)
{
    char *p = malloc(8), *q = malloc(8);
    int *n = NULL;
    if (p && q && q - p == 16)
        *n = 1; //~ latent null-deref
    free(p);
    free(q);
}

void odd_ok(void)
{
    char *p = malloc(8);
    int *n = NULL;
    if (p && (unsigned char)(uintptr_t)p % 16 == 1)
        *n = 1;
    free(p);
}

void first_of_a_page_latent(void)
{
    char *p = malloc(8);
    int *n = NULL;
    if (p && (unsigned char)(uintptr_t)p == 0x10)
        *n = 1; //~ latent null-deref
    free(p);
}
