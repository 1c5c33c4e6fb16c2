// In `main`, too, nothing is reported that rests on what a loop left and nobody followed: the number is even.
// args: --only null-deref --skip doomed
#include "../stubs.h"

int main(int argc, char **argv)
{
    int *p = NULL;
    unsigned n = 0;
    for (int i = 0; i < argc; i++)
        n += 2;
    if (n == 77)
        return *p;
    return argv == NULL;
}
