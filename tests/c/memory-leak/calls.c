// Leaks that need two functions: who allocates, and who should have freed.
#include "../stubs.h"

struct buffer {
    char *bytes;
    size_t size;
};

static void *wrapper(size_t size) { return malloc(size); } //~ step #a3 "the block is allocated"
//~^ step #e3 "the block is allocated"
static void *wrapper_of_wrapper(size_t size) { void *p = wrapper(size); if (!p) abort(); return p; }
//~^ step #a2 "calls `wrapper`"
static void release(void *p) { free(p); }
static void release_later(void *p) { if (any() > 0) free(p); }
//~^ step #b3 "taking the branch where `any() <= 0`"
static void nothing(void *p) { (void)p; }

static int buffer_init(struct buffer *buffer)
{
    buffer->bytes = malloc(8); //~ step #c3 "`malloc` returns null"
    buffer->size = buffer->bytes ? 8 : 0;
    return buffer->bytes ? 0 : -1;
}

static void buffer_done(struct buffer *buffer) { free(buffer->bytes); }

static void buffer_forget(struct buffer *buffer) { buffer->bytes = NULL; }

void wrapper_bad(void)
{
    int *p = wrapper(sizeof *p); //~ memory-leak
    if (p)
        *p = 1;
}

void wrapper_ok(void)
{
    int *p = wrapper(sizeof *p);
    release(p);
}

void two_wrappers_bad(void)
{
    int *p = wrapper_of_wrapper(sizeof *p);
    //~^ memory-leak #a "memory allocated by `wrapper_of_wrapper` is never freed" cause program when "true"
    //~^ step #a1 "calls `wrapper_of_wrapper`"
    *p = 1;
} //~ step #a4 "the function returns, and nothing points to the block"

void not_released_bad(void)
{
    void *p = malloc(8); //~ memory-leak
    nothing(p);
}

void released_sometimes_bad(void)
{
    void *p = malloc(8); //~ memory-leak #b "memory allocated here" cause program when "true"
    //~^ step #b1 "the block is allocated"
    release_later(p); //~ step #b2 "calls `release_later`"
} //~ step #b4 "the function returns, and nothing points to the block"

void out_parameter_bad(void)
{
    struct buffer buffer;
    buffer_init(&buffer); //~ memory-leak
}

void out_parameter_ok(void)
{
    struct buffer buffer;
    buffer_init(&buffer);
    buffer_done(&buffer);
}

void code_tested_ok(void)
{
    struct buffer buffer;
    if (buffer_init(&buffer) < 0)
        return;
    buffer_done(&buffer);
}

void code_misread_bad(void)
{
    struct buffer buffer;
    if (buffer_init(&buffer) == 0) //~ memory-leak
        return;
    buffer_done(&buffer);
}

void forgotten_bad(void)
{
    struct buffer buffer;
    buffer_init(&buffer); //~ memory-leak
    buffer_forget(&buffer);
    buffer_done(&buffer);
}

struct buffer *buffer_new_ok(void)
{
    struct buffer *buffer = malloc(sizeof *buffer);
    if (!buffer)
        return NULL;
    if (buffer_init(buffer) < 0) {
        free(buffer);
        return NULL;
    }
    return buffer;
}

struct buffer *buffer_new_bad(void)
{
    struct buffer *buffer = malloc(sizeof *buffer); //~ memory-leak #c "memory allocated here" cause program
    //~^ step #c1 "the block is allocated"
    if (!buffer)
        return NULL;
    if (buffer_init(buffer) < 0) //~ step #c2 "calls `buffer_init`"
        return NULL;
    return buffer;
} //~ step #c4 "the function returns, and nothing points to the block"

void shallow_free_bad(void)
{
    struct buffer *buffer = buffer_new_ok(); //~ memory-leak
    free(buffer);
}

void deep_free_ok(void)
{
    struct buffer *buffer = buffer_new_ok();
    if (buffer)
        buffer_done(buffer);
    free(buffer);
}

static int keep_or_refuse(void **slot, void *p)
{
    if (*slot) //~ step #d3 "taking the branch where `*slot` is not null"
        return -1;
    *slot = p;
    return 0;
}

int refusal_forgotten_latent(void **slot)
{
    void *p = malloc(8); //~ latent memory-leak #d "memory allocated here" cause program when "*slot != 0"
    //~^ step #d1 "the block is allocated"
    return keep_or_refuse(slot, p); //~ step #d2 "calls `keep_or_refuse`"
    //~^ step #d4 "the function returns, and nothing points to the block"
}

int refusal_handled_ok(void **slot)
{
    void *p = malloc(8);
    if (keep_or_refuse(slot, p) < 0) {
        free(p);
        return -1;
    }
    return 0;
}

typedef void *maker(size_t);
typedef void taker(void *);

static void with(maker *make_it, taker *take)
{
    take(make_it(8)); //~ step #e2 "calls `wrapper`"
} //~ step #e4 "the function returns, and nothing points to the block"

void taker_frees_ok(void) { with(wrapper, release); }

void taker_ignores_bad(void)
{
    with(wrapper, nothing); //~ memory-leak #e "memory that `with` allocates is never freed" cause program
    //~^ step #e1 "this call makes `with` lose memory"
}

static void *build(int depth)
{
    if (depth <= 0)
        return NULL;
    void **p = malloc(sizeof *p);
    if (p)
        *p = build(depth - 1);
    return p;
}

void recursion_bad(void)
{
    build(1); //~ memory-leak
}

void recursion_ok(void) { free(build(1)); }

struct text { char *data; int size; };

static struct text *text_new(void)
{
    struct text *t = malloc(sizeof *t);
    if (!t)
        abort();
    t->data = malloc(64);
    if (!t->data)
        abort();
    return t;
}

// Two blocks are leaked by one mistake.
int whole_object_bad(void)
{
    struct text *t = text_new(); //~ memory-leak
    return t->size = 0;
}

int keeps_high_block_latent(char *limit)
{
    char *p = malloc(4); //~ latent memory-leak
    if (p && p > limit + 3)
        return 1;
    free(p);
    return 0;
}

// What a callee loses is told there, and nowhere else.
int keeps_high_block_ok(char *limit) { return keeps_high_block_latent(limit); }
