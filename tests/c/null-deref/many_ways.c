// More ways than are followed become one, which knows no more than all of them.
// args: --latent --only null-deref --skip doomed
#include "../stubs.h"

static int mode;

int many_ways_latent(int a, int b, int c, int d, int e, int f)
{
    int *p = NULL;
    mode = 0;
    if (a == 1)
        mode = 0;
    if (b == 1)
        mode = 0;
    if (c == 1)
        mode = 0;
    if (d == 1)
        mode = 0;
    if (e == 1)
        mode = 0;
    if (f == 1)
        mode = 0;
    if (a == 1 && b == 1 && c == 1 && d == 1 && e == 1 && f == 1)
        return *p; //~ latent null-deref
    if (a != 1 && b != 1 && c != 1 && d != 1 && e != 1 && f != 1)
        return *p; //~ latent null-deref
    return a + b + c + d + e + f;
}
