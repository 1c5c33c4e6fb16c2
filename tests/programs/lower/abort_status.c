// abort after output was flushed: the process ends with SIGABRT, exit handlers do not run, stderr stays apart.
#include <stdio.h>
#include <stdlib.h>

static void never(void) { puts("a handler that must not run"); }

static int check(const char *what, int value, int wanted)
{
    fprintf(stdout, "%s %d\n", what, value);
    if (value != wanted) {
        fprintf(stderr, "%s is %d, wanted %d\n", what, value, wanted);
        return 0;
    }
    return 1;
}

int main(void)
{
    if (atexit(never))
        return 98;
    int ok = check("one", 1, 1);
    ok &= check("two", 1 + 1, 2);
    ok &= check("three", 1 + 1, 3);
    printf("ok %d\n", ok);
    fflush(stdout);
    if (!ok)
        abort();
    return 0;
}
