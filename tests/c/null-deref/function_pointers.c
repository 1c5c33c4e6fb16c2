// Calls through pointers: targets known on the path, from constant tables, and passed as arguments.
#include "../stubs.h"

typedef int *source(void);
typedef int reader(const int *);

static int box;
static int *some(void) { return &box; }
static int *none(void) { return NULL; }
static int read_it(const int *p) { return *p; } //~ step #a4 "the null pointer is dereferenced here"
//~^ step #b3 "the null pointer is dereferenced here"
static int ignore_it(const int *p) { return p == NULL; }

int known_target_bad(void)
{
    source *from = none;
    return *from(); //~ null-deref
}

int known_target_ok(void)
{
    source *from = some;
    return *from();
}

static source *const sources[] = {some, none};

int constant_table_bad(void)
{
    return *sources[1](); //~ null-deref
}

int constant_table_ok(void) { return *sources[0](); }

static const struct operations { source *open; reader *read; } operations = {some, read_it};

int operations_bad(void)
{
    return operations.read(NULL); //~ null-deref
}

int operations_ok(void) { return operations.read(operations.open()); }

static int apply(reader *how, const int *what) { return how(what); } //~ step #a3 "calls `read_it`"

int passed_target_bad(void)
{
    return apply(read_it, NULL); //~ null-deref
}

int passed_target_ok(void) { return apply(ignore_it, NULL); }

static int apply_twice(reader *how, const int *what) { return apply(how, what) + apply(how, what); }
//~^ step #a2 "calls `apply`"

int passed_on_target_bad(void)
{
    return apply_twice(read_it, NULL);
    //~^ null-deref #a "a null pointer is passed to `apply_twice`, which dereferences it" cause program
    //~^ step #a1 "the pointer is passed here"
}

int passed_on_target_ok(void) { return apply_twice(ignore_it, NULL); }

int null_target_bad(void)
{
    source *from = NULL;
    return *from(); //~ null-deref
}

int unknown_target_ok(source *from) { return *from(); }

int chosen_target_bad(void)
{
    reader *how = any() ? read_it : ignore_it;
    return how(NULL);
    //~^ null-deref #b "a null pointer is passed to `read_it`, which dereferences it" cause program
    //~^ step #b1 "taking the branch where `any() != 0`"
    //~^ step #b2 "the pointer is passed here"
}

int chosen_target_ok(int deep)
{
    reader *how = deep ? read_it : ignore_it;
    return deep ? 0 : how(NULL);
}

struct visitor {
    reader *visit;
    const int *state;
};

static int run(const struct visitor *visitor) { return visitor->visit(visitor->state); }

int target_in_structure_bad(void)
{
    struct visitor visitor = {read_it, NULL};
    return run(&visitor); //~ null-deref
}

int target_in_structure_ok(void)
{
    struct visitor visitor = {ignore_it, NULL};
    return run(&visitor);
}
