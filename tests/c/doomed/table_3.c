// args: --only doomed
// The null pointer micro-benchmark of Table 3 in C (after Hovemeyer and Pugh, "Finding more null pointer bugs, but not too many", PASTE 2007): a method call on an object is
// a read of a member here. Names are those of the table; the verdicts are its column "Exorcise".
#include "../stubs.h"

struct object { int hash; };
struct object *new_object(void) __attribute__((returns_nonnull));

int fp1_ok(int level)
{
    struct object *x = 0;
    if (level > 0)
        x = new_object();
    if (level > 4)
        return x->hash;
    return 0;
}

// It fails in the `else` that is not there.
int FN_tp1_bad(int level)
{
    struct object *x = 0;
    if (level > 0)
        x = new_object();
    if (level < 4)
        return x->hash; // FN: what nobody wrote is no point, but a question to the callers
    return 0;
}

int fp2_ok(int b)
{
    struct object *x = 0;
    if (b)
        x = new_object();
    if (b)
        return x->hash;
    return 0;
}

int tp2_bad(int b)
{
    struct object *x = 0;
    if (b)
        x = new_object();
    if (!b)
        return x->hash; //~ doomed null-deref "`x` is null"
    return 0;
}

int fp3_ok(struct object *x)
{
    struct object *y = 0;
    if (x)
        y = new_object();
    if (y)
        return x->hash + y->hash;
    else
        return 0;
}

int tp3_bad(struct object *x)
{
    struct object *y = 0;
    if (x)
        y = new_object();
    if (y)
        return x->hash + y->hash;
    else
        return x->hash; //~ doomed null-deref "`x` is null"
}

int tp4_bad(int b)
{
    struct object *x = 0;
    struct object *y = 0;
    if (b)
        x = new_object();
    if (x)
        y = new_object();
    if (y)
        return x->hash + y->hash;
    else
        return x->hash; //~ doomed null-deref "`x` is null"
}

int fp4_ok(int b)
{
    struct object *x = 0;
    struct object *y = 0;
    if (b)
        x = new_object();
    if (x)
        y = new_object();
    if (y)
        return x->hash + y->hash;
    return 0;
}

int tp5_bad(struct object *x)
{
    if (!x)
        return x->hash; //~ doomed null-deref "`x` is null"
    return 0;
}

int tp6_bad(struct object *x)
{
    if (!x) {
        struct object *y = x;
        return y->hash; //~ doomed null-deref "`y` is null"
    }
    return 0;
}

static int unless(struct object *x, int b)
{
    if (b)
        return 0;
    return x->hash;
}

static int only_if(struct object *x, int b)
{
    if (b)
        return x->hash;
    return 0;
}

static int hash_of(struct object *x)
{
    return x->hash;
}

int FN_itp1_bad(int b)
{
    struct object *x = 0;
    if (b)
        x = new_object();
    return unless(x, b); // FN: as in FN_tp1_bad
}

int ifp1_ok(int b)
{
    struct object *x = 0;
    if (b)
        x = new_object();
    return only_if(x, b);
}

int itp2_bad(void)
{
    return hash_of(0); //~ doomed null-deref "`x` is null"
}

int itp3_bad(int b)
{
    struct object *x = new_object();
    if (b)
        x = 0;
    return hash_of(x); //~ doomed null-deref "`x` is null"
}
