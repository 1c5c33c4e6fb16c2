// In `main` every error that can happen is reported: nobody else calls it.
#include "../stubs.h"

static int level = 2;
static int *chosen;

static int first(const int *values, int count)
{
    return count > 0 ? values[0] : 0;
}

int main(int argc, char **argv)
{
    int values[2] = {1, 2};
    int *p = argc > 1 ? values : NULL; //~ step #a1 "taking the branch where `argc < 2`"
    if (level != 2)
        return *chosen;
    if (argc > 3 && argv[1][0] == 'x')
        return *p;
    if (argc == 1) //~ step #a2 "taking the branch where `argc != 1`"
        return first(p, 0);
    if (argc > 5)
        p = NULL;
    return *p;
    //~^ latent null-deref #a "`p` is null" cause environment when "(argc != 1 && argc < 2) || (argc >= 6 && *argv[1] != 120)"
}
