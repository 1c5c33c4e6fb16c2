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
    return *current;
}

static void choose(void)
{
    later = &value;
}

int main(int argc, char **argv)
{
    (void)argv;
    choose();
    switch (argc) {
    case 1: return *set + *later;
    case 2: return *elsewhere;
    case 3:
        unknown();
        return *current;
    case 4:
        current = &value;
        return use_current();
    case 5: return use_current(); //~ null-deref
    default: return *current; //~ null-deref
    }
}
