// Where the program begins, global variables hold what they are initialized with.
#include <stdlib.h>

static int *current;
static int value = 3;
static int *set = &value;
static int *later;
extern int *elsewhere;
void unknown(void);

static int use_current(void)
{
    return *current; //~ step #a3 "the null pointer is dereferenced here"
}

static void choose(void)
{
    later = &value;
}

int main(int argc, char **argv)
{
    (void)argv;
    choose();
    switch (argc) { //~ step #a1 "taking the branch where `argc == 5`"
    //~^ step #b1 "taking the branch where `argc != 1`, `argc != 2`, `argc != 3`, and 2 more conditions hold"
    case 1: return *set + *later;
    case 2: return *elsewhere;
    case 3:
        unknown();
        return *current;
    case 4:
        current = &value;
        return use_current();
    case 5: return use_current();
    //~^ latent null-deref #a "`current` is null, and `use_current` dereferences it" cause environment when "argc == 5"
    //~^ step #a2 "the pointer is passed here"
    default: return *current;
    //~^ latent null-deref #b "`current` is null" cause environment when "argc != 1 && argc != 2 && argc != 3 && argc != 4 && argc != 5"
    }
}
