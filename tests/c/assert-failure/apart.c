// Objects that a function uses as two are two: what it leaves in one is not looked for in the other.
// args: --latent --only assert-failure
#include "../stubs.h"

struct triple { int first; int rest[3]; };

void member_of_another_ok(struct triple *t, int *n)
{
    t->first = 1;
    t->rest[2] = 2;
    *n = 3;
    if (n == &t->rest[2])
        assert(t->rest[2] == 3);
}

void other_member_latent(struct triple *t, int *n)
{
    t->first = 1;
    t->rest[2] = 2;
    *n = 3;
    if (n != &t->rest[2])
        assert(t->rest[2] == 3); //~ latent assert-failure
}
