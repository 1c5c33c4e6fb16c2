// A flag in a bit-field is tested though only its neighbors were written.
// sanitizer: memory
#include <stdio.h>

struct flags {
    unsigned ready : 1;
    unsigned mode : 3;
    unsigned done : 1;
};

static int advance(struct flags *f)
{
    if (f->ready)
        f->mode = 5;
    if (f->done) //~ uninit-read
        return 1;
    return 0;
}

int main(void)
{
    struct flags f;
    f.ready = 1;
    f.mode = 0;
    int done = advance(&f);
    return done != 0 && f.mode == 9;
}
