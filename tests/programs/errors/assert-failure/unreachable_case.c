// A default label that claims to be impossible is reached.
// sanitizer: assert
#include <assert.h>
#include <stdio.h>

enum state { IDLE, BUSY, DONE };

static const char *name(enum state s)
{
    switch (s) {
    case IDLE:
        return "idle";
    case BUSY:
        return "busy";
    default:
        assert(0 && "every state has a name"); //~ assert-failure
        return NULL;
    }
}

int main(void)
{
    enum state all[] = { IDLE, BUSY, DONE };
    for (int i = 0; i < 3; i++)
        puts(name(all[i]));
    return 0;
}
