// Invalid frees that need a caller.
// args: --latent --only invalid-free
#include "../stubs.h"

static void release_latent(char *p, int offset)
{
    if (p && offset == 2) {
        char *q = malloc(8);
        if (q)
            free(q + offset); //~ latent invalid-free
    }
}

void literal_or_copy_latent(int copy)
{
    char *text = copy ? strdup("text") : "text";
    free(text); //~ latent invalid-free
}

void literal_bad(void)
{
    literal_or_copy_latent(0); //~ invalid-free
}

void copy_ok(void) { literal_or_copy_latent(any() > 0 ? 1 : 2); }

void no_pointer_ok(void) { release_latent(NULL, 2); }

void other_offset_ok(char *p) { release_latent(p, 0); }
