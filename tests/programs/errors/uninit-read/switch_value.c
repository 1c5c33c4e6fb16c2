// A switch selects on a variable that was declared but never assigned.
// sanitizer: memory
#include <stdio.h>

enum color { RED, GREEN, BLUE };

static const char *name(int known)
{
    enum color c;
    if (known)
        c = GREEN;
    switch (c) { //~ uninit-read
    case RED:
        return "red";
    case GREEN:
        return "green";
    case BLUE:
        return "blue";
    }
    return "none";
}

int main(void)
{
    puts(name(1));
    puts(name(0));
    return 0;
}
