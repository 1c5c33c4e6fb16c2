// Functions that users of a library may replace: by default they are what the library says.
#include "../stubs.h"

typedef void *(*allocate_fn)(size_t size);
typedef void (*release_fn)(void *block);

void *own_allocate(size_t size);

static allocate_fn allocate_hook = own_allocate;
allocate_fn allocate = malloc;
release_fn release = free;

void set_hook(allocate_fn other)
{
    if (other)
        allocate_hook = other;
}

void set_functions(allocate_fn other_allocate, release_fn other_release)
{
    allocate = other_allocate;
    release = other_release;
}

void *own_allocate(size_t size)
{
    if (allocate_hook != own_allocate)
        return allocate_hook(size);
    return malloc(size); //~ step #a2 "`malloc` returns null"
}

int by_hook_bad(void)
{
    int *p = own_allocate(sizeof *p); //~ step #a1 "calls `own_allocate`"
    *p = 1; //~ null-deref #a "`p` is null and is dereferenced" cause environment when "true"
    release(p);
    return 0;
}

int by_variable_bad(void)
{
    int *p = allocate(sizeof *p);
    *p = 1; //~ null-deref
    release(p);
    return 0;
}

int checked_ok(void)
{
    int *p = allocate(sizeof *p);
    if (!p)
        return -1;
    report("allocated");
    *p = 1;
    release(p);
    return 0;
}

int freed_by_variable_bad(void)
{
    int *p = allocate(sizeof *p); //~ step #b1 "the block is allocated"
    if (!p)
        return -1;
    release(p); //~ step #b2 "the block is freed"
    return *p; //~ use-after-free #b "`p` is used after it was freed" cause program when "true"
}

// What the library itself replaces is not known.
static void *never(size_t size)
{
    return NULL;
}

static allocate_fn current = never;

void start(void)
{
    current = malloc;
}

int after_start_ok(void)
{
    int *p = current(sizeof *p);
    return *p;
}
