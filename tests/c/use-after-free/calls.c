// Memory freed in one function and used in another.
#include "../stubs.h"

struct buffer {
    char *bytes;
    size_t size;
};

static void drop(int *p) { free(p); } //~ step #a2 "the block is freed" //~ step #b2 "the block is freed"
//~^ step #e3 "the block is freed"
static void drop_and_clear(int **p) { free(*p); *p = NULL; }
static int get(const int *p) { return *p; } //~ step #b4 "the freed memory is read here"
static int get_and_drop(int *p) { int value = *p; free(p); return value; }
static int *drop_and_return(int *p) { free(p); return p; }

static int drop_if_negative(int *p)
{
    if (*p < 0) { //~ step #c3 "taking the branch where `any() < 0`"
        free(p); //~ step #c4 "the block is freed"
        return -1;
    }
    return 0;
}

int freed_in_callee_bad(int *p)
{
    drop(p); //~ step #a1 "calls `drop`"
    return *p; //~ use-after-free #a "`p` is used after it was freed" cause program when "valid(p)"
}

int used_in_callee_bad(int *p)
{
    free(p);
    return get(p); //~ use-after-free
}

int both_in_callees_bad(int *p)
{
    drop(p); //~ step #b1 "calls `drop`"
    return get(p); //~ use-after-free #b "`p` was freed, and `get` dereferences it" cause program when "valid(p)"
    //~^ step #b3 "the pointer is passed here"
}

int got_before_ok(int *p)
{
    int value = get(p);
    drop(p);
    return value;
}

int got_and_dropped_ok(int *p) { return get_and_drop(p); }

int got_twice_bad(int *p)
{
    int first = get_and_drop(p);
    return first + get(p); //~ use-after-free
}

int cleared_ok(int *p)
{
    drop_and_clear(&p);
    return p ? *p : 0;
}

int returned_freed_bad(int *p)
{
    return *drop_and_return(p); //~ use-after-free
}

int error_code_respected_ok(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return -1;
    *p = any();
    if (drop_if_negative(p) < 0)
        return -1;
    int value = *p;
    free(p);
    return value;
}

int error_code_ignored_bad(void)
{
    int *p = malloc(sizeof *p); //~ step #c1 "the block is allocated"
    if (!p)
        return -1;
    *p = any();
    int code = drop_if_negative(p); //~ step #c2 "calls `drop_if_negative`"
    int value = *p; //~ use-after-free #c "`p` is used after it was freed" cause program when "true"
    if (code == 0)
        free(p);
    return value;
}

static int swap_and_read(int *freed, const int *read)
{
    free(freed); //~ step #d2 "the block is freed"
    return *read; //~ step #d3 "`read` is used after it was freed"
}

int aliased_arguments_bad(void)
{
    int *p = calloc(1, sizeof *p);
    if (!p)
        return -1;
    return swap_and_read(p, p);
    //~^ use-after-free #d "in `swap_and_read`: `read` is used after it was freed" cause program when "true"
    //~^ step #d1 "this call makes `swap_and_read` fail"
}

int distinct_arguments_ok(int *q)
{
    int *p = calloc(1, sizeof *p);
    if (!p)
        return -1;
    return swap_and_read(p, q);
}

static void reset(struct buffer *buffer)
{
    free(buffer->bytes);
    buffer->size = 0;
}

static void reset_fully(struct buffer *buffer)
{
    free(buffer->bytes);
    buffer->bytes = NULL;
    buffer->size = 0;
}

int stale_member_bad(struct buffer *buffer)
{
    reset(buffer);
    return buffer->bytes[0]; //~ use-after-free
}

int size_tested_ok(struct buffer *buffer)
{
    reset(buffer);
    return buffer->size > 0 ? buffer->bytes[0] : 0;
}

int member_tested_ok(struct buffer *buffer)
{
    reset_fully(buffer);
    return buffer->bytes ? buffer->bytes[0] : 0;
}

static int *cache;

static void drop_cache(void)
{
    free(cache);
}

int stale_global_bad(void)
{
    drop_cache();
    return *cache; //~ use-after-free
}

int cache_kept_elsewhere_ok(int *other)
{
    drop_cache();
    cache = other;
    return *cache;
}

typedef void release(int *);

static void keep(int *p) { (void)p; }

static int finish(release *how, int *p)
{
    how(p); //~ step #e2 "calls `drop`"
    return *p; //~ step #e4 "`p` is used after it was freed"
}

int releasing_argument_bad(void)
{
    int *p = calloc(1, sizeof *p);
    if (!p)
        return -1;
    return finish(drop, p); //~ use-after-free #e "in `finish`: `p` is used after it was freed" cause program
    //~^ step #e1 "this call makes `finish` fail"
}

int keeping_argument_ok(void)
{
    int *p = calloc(1, sizeof *p);
    if (!p)
        return -1;
    int value = finish(keep, p);
    free(p);
    return value;
}

static release *const releases[2] = {keep, drop};

int releasing_table_bad(int *p)
{
    releases[1](p);
    return *p; //~ use-after-free
}

int keeping_table_ok(int *p)
{
    releases[0](p);
    return *p;
}

int unknown_release_ok(int *p)
{
    use(p);
    return *p;
}

struct counted {
    int references;
    int value;
};

static void put(struct counted *counted)
{
    if (--counted->references == 0)
        free(counted); //~ step #f3 "the block is freed"
}

int last_reference_bad(void)
{
    struct counted *counted = malloc(sizeof *counted); //~ step #f1 "the block is allocated"
    if (!counted)
        return -1;
    counted->references = 1;
    counted->value = 3;
    put(counted); //~ step #f2 "calls `put`"
    return counted->value; //~ use-after-free #f "`counted` is used after it was freed" cause program
}

int second_reference_ok(void)
{
    struct counted *counted = malloc(sizeof *counted);
    if (!counted)
        return -1;
    counted->references = 2;
    counted->value = 3;
    put(counted);
    int value = counted->value;
    put(counted);
    return value;
}
