// Addresses of local variables that outlive their function.
#include "../stubs.h"

struct holder {
    int *pointer;
};

static int *local_address(void)
{
    int x = 1;
    int *p = &x;
    return p;
}

static int *static_address(void)
{
    static int x = 1;
    return &x;
}

static int *parameter_address(int x)
{
    int *p = &x;
    return p;
}

static int *same(int *p) { return p; }

static void hold_local(struct holder *holder)
{
    int x = 1;
    holder->pointer = &x;
}

static void hold(struct holder *holder, int *p) { holder->pointer = p; }

static struct holder make_holder(void)
{
    int x = 1;
    struct holder holder = {&x};
    return holder;
}

int returned_bad(void)
{
    return *local_address(); //~ use-after-scope
}

int returned_static_ok(void) { return *static_address(); }

int returned_parameter_bad(void)
{
    return *parameter_address(3); //~ use-after-scope
}

void returned_but_unused_ok(void) { local_address(); }

int own_local_ok(void)
{
    int x = 1;
    return *same(&x);
}

int out_parameter_bad(void)
{
    struct holder holder;
    hold_local(&holder);
    return *holder.pointer; //~ use-after-scope
}

int out_parameter_ok(void)
{
    int x = 1;
    struct holder holder;
    hold(&holder, &x);
    return *holder.pointer;
}

int replaced_ok(void)
{
    int x = 1;
    struct holder holder;
    hold_local(&holder);
    hold(&holder, &x);
    return *holder.pointer;
}

int returned_structure_bad(void)
{
    struct holder holder = make_holder();
    return *holder.pointer; //~ use-after-scope
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

static int get(const int *p) { return *p; }

int passed_on_bad(void)
{
    return get(local_address()); //~ use-after-scope
}

static char *message(int number)
{
    char text[16];
    text[0] = (char)('0' + number % 10);
    text[1] = '\0';
    char *result = text;
    return result;
}

void printed_bad(void)
{
    puts(message(3)); //~ use-after-scope
}

static int *chosen(int *other)
{
    int x = 1;
    return any() ? &x : other;
}

int chosen_bad(void)
{
    int y = 2;
    return *chosen(&y); //~ use-after-scope
}

static int *deep(int n)
{
    int x = n;
    int *p = &x;
    return n > 0 ? deep(n - 1) : p;
}

int recursion_bad(void)
{
    return *deep(1); //~ use-after-scope
}

static int *source_call(int *(*source)(void)) { return source(); }

int passed_function_bad(void)
{
    return *source_call(local_address); //~ use-after-scope
}

int passed_function_ok(void) { return *source_call(static_address); }
