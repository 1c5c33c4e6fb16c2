// What C leaves undefined, written down as a constant: clang folds it, and nobody chooses its value.
#include "../stubs.h"

void behind_an_undefined_constant_ok(int k)
{
    unsigned long n = 1;
    char *block = malloc(4);
    if (!block)
        return;
    if (k)
        n = 100 / (unsigned long)0;
    if (n == 7)
        return;
    free(block);
}

void behind_a_number_latent(int k)
{
    unsigned long n = 1;
    char *block = malloc(4); //~ latent memory-leak
    if (!block)
        return;
    if (k)
        n = 7;
    if (n == 7)
        return;
    free(block);
}
