// Bits that were never written, but make no difference on the path: execution goes on behind them.
// args: --latent --only null-deref,uninit-read --skip doomed
#include "../stubs.h"

int masked_latent(unsigned n)
{
    unsigned words[2];
    int *p = NULL;
    words[1] = 0;
    if ((n & 0xf0) == 0x30) {
        if (words[0] & ((n >> 4 & 3) ^ 3))
            return 1;
        return *p; //~ latent null-deref
    }
    return 0;
}

int masked_by_a_root_latent(unsigned n)
{
    unsigned words[2];
    int *p = NULL;
    words[1] = 0;
    if (n < 100 && n * n == 49) {
        if (words[0] & (n - 7))
            return 1;
        return *p; //~ latent null-deref
    }
    return 0;
}

int unmasked_latent(unsigned n)
{
    unsigned words[2];
    words[1] = 0;
    if (n < 100 && n * n == 49)
        if (words[0] & (n - 6)) //~ latent uninit-read
            return 1;
    return 0;
}
