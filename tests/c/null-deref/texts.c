// What a callee found in a text of its caller is the caller's business, not a choice of the environment.
// args: --skip doomed
#include "../stubs.h"

static int is_no(const char *text) { return strcmp(text, "no") == 0; }

int refused_ok(const char *answer)
{
    int *p = NULL;
    if (is_no(answer))
        return *p;
    return 0;
}
