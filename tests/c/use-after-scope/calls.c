// Addresses of local variables that outlive their function. Returning one is the defect; callers are not told once more.
#include "../stubs.h"

struct holder {
    int *pointer;
};

static int *local_bad(void)
{
    int x = 1;
    int *p = &x;
    return p; //~ use-after-scope
}

static int *static_ok(void)
{
    static int x = 1;
    return &x;
}

static int *parameter_bad(int x)
{
    int *p = &x;
    return p; //~ use-after-scope
}

static int *same_ok(int *p) { return p; }

static int *through_callee_bad(void)
{
    int x = 1;
    return same_ok(&x); //~ use-after-scope
}

static char *message_bad(int number)
{
    char text[16];
    text[0] = (char)('0' + number % 10);
    text[1] = '\0';
    char *result = text;
    return result; //~ use-after-scope
}

static char *message_ok(int number)
{
    static char text[16];
    text[0] = (char)('0' + (number & 7));
    text[1] = '\0';
    return text;
}

static int *chosen_bad(int *other)
{
    int x = 1;
    int *p = any() ? &x : other; //~ step #a1 "taking the branch where `any() != 0`"
    return p;
    //~^ use-after-scope #a "the address of local variable `x` is returned" cause program when "true"
}

static int *not_chosen_ok(int *other)
{
    int x = 1;
    int *p = &x;
    if (*p == 1)
        p = other;
    return p;
}

int callers_are_not_told(void) { return *local_bad() + *parameter_bad(3) + *through_callee_bad(); }

int other_callers_ok(void)
{
    int x = 1;
    puts(message_ok(3));
    return *static_ok() + *same_ok(&x) + *not_chosen_ok(&x);
}

int more_callers(int *other)
{
    puts(message_bad(3));
    return *chosen_bad(other);
}

static void hold_local(struct holder *holder)
{
    int x = 1;
    holder->pointer = &x;
} //~ step #b2 "the scope of the variable ends" //~ step #c2 "the scope of the variable ends"
//~^ step #e3 "the scope of the variable ends"

static void hold(struct holder *holder, int *p) { holder->pointer = p; }

int out_parameter_bad(void)
{
    struct holder holder;
    hold_local(&holder); //~ step #b1 "calls `hold_local`"
    return *holder.pointer;
    //~^ use-after-scope #b "`holder.pointer` refers to local variable `x`" cause program when "true"
}

int out_parameter_ok(void)
{
    int x = 1;
    struct holder holder;
    hold(&holder, &x);
    return *holder.pointer;
}

int out_parameter_unused_ok(void)
{
    struct holder holder;
    hold_local(&holder);
    return 0;
}

int replaced_ok(void)
{
    int x = 1;
    struct holder holder;
    hold_local(&holder);
    hold(&holder, &x);
    return *holder.pointer;
}

static int get(const struct holder *holder) { return *holder->pointer; }
//~^ step #c4 "the variable is read here"

int passed_on_bad(void)
{
    struct holder holder;
    hold_local(&holder); //~ step #c1 "calls `hold_local`"
    return get(&holder);
    //~^ use-after-scope #c "whose scope has ended, and `get` dereferences it" cause program when "true"
    //~^ step #c3 "the pointer is passed here"
}

static int *current;

static void set_current(void)
{
    int x = 1;
    current = &x;
}

static int with_current(void)
{
    int x = 1;
    current = &x;
    int value = *current;
    current = NULL;
    return value;
}

int global_bad(void)
{
    set_current();
    return *current; //~ use-after-scope
}

int global_inside_ok(void) { return with_current(); }

static int *deep(int n)
{
    int x = n;
    int *p = &x;
    return n > 0 ? deep(n - 1) : p; //~ step #d2 "this call makes `deep` fail"
    //~^ step #d3 "taking the branch where `n <= 0`"
    //~^ step #d4 "the address of local variable `x` is returned, but its scope ends here"
}

int recursion_bad(void)
{
    return *deep(1);
    //~^ use-after-scope #d "in `deep`: the address of local variable `x` is returned" cause program
    //~^ step #d1 "this call makes `deep` fail"
}

static void held_by(void (*how)(struct holder *), struct holder *holder) { how(holder); }
//~^ step #e2 "calls `hold_local`"

int passed_function_bad(void)
{
    struct holder holder;
    held_by(hold_local, &holder); //~ step #e1 "calls `held_by`"
    return *holder.pointer;
    //~^ use-after-scope #e "`holder.pointer` refers to local variable `x`" cause program when "true"
}

struct several {
    int *first;
    long others[8];
};

static int *element_bad(int i)
{
    int values[4] = {1, 2, 3, 4};
    int *p = &values[i & 3];
    return p; //~ use-after-scope
}

static int *element_ok(int *values, int i)
{
    int *p = &values[i & 3];
    return p;
}

static struct holder in_structure_bad(void)
{
    int x = 1;
    struct holder holder = {&x};
    return holder;
} //~ use-after-scope

/* A structure that does not fit into registers is written to memory of the caller. */
static struct several in_memory(void)
{
    int x = 1;
    struct several result = {&x};
    return result;
}

int in_memory_bad(void)
{
    struct several several = in_memory();
    return *several.first; //~ use-after-scope
}

int in_memory_unused_ok(void)
{
    struct several several = in_memory();
    return several.others[0] == 0;
}

/* A number tells how deep the stack is; nobody can dereference it. */
static uintptr_t depth_ok(void)
{
    int x = 1;
    return (uintptr_t)&x;
}

static long distance_ok(void)
{
    int values[4] = {1, 2, 3, 4};
    int *end = values + 4;
    return end - values;
}

int more_values(int i)
{
    int values[4] = {1, 2, 3, 4};
    return *element_bad(i) + *element_ok(values, i) + *in_structure_bad().pointer + (depth_ok() > 4096) + distance_ok();
}

static void expose_parameter(int n, int **out) { *out = &n; }

// Parameters end with their function, too.
int exposed_parameter_bad(void)
{
    int *p;
    expose_parameter(3, &p);
    return *p; //~ use-after-scope
}
