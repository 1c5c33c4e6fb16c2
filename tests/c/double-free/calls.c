// Blocks freed by two functions that both think they own them.
#include "../stubs.h"

struct box {
    char *bytes;
    int owned;
};

static void drop(void *p) { free(p); } //~ step #a2 "the block is freed" //~ step #c3 "the block is freed"
//~^ step #c5 "the block is freed a second time here"
static void drop_and_clear(void **p) { free(*p); *p = NULL; }
static void drop_both(void *p, void *q) { free(p); free(q); }

static void box_close(struct box *box)
{
    if (box->owned)
        free(box->bytes); //~ step #b5 "the block is freed a second time here"
    box->owned = 0;
}

static int box_fill(struct box *box)
{
    box->bytes = malloc(8); //~ step #b2 "the block is allocated"
    if (!box->bytes)
        return -1;
    if (any() < 0) {
        free(box->bytes); //~ step #b3 "the block is freed"
        return -2;
    }
    return 0;
}

void callee_frees_bad(void *p)
{
    drop(p); //~ step #a1 "calls `drop`"
    free(p); //~ double-free #a "`p` is freed a second time" cause program when "valid(p)"
}

void callee_frees_again_bad(void *p)
{
    free(p);
    drop(p); //~ double-free
}

void callee_clears_ok(void *p)
{
    drop_and_clear(&p);
    free(p);
}

void same_argument_twice_bad(void)
{
    void *p = malloc(8);
    if (!p)
        return;
    drop_both(p, p); //~ double-free
}

void different_arguments_ok(void) { drop_both(malloc(8), malloc(8)); }

void null_arguments_ok(void) { drop_both(NULL, NULL); }

void closed_twice_ok(struct box *box)
{
    box_close(box);
    box_close(box);
}

void closed_after_failure_bad(void)
{
    struct box box = {NULL, 1};
    if (box_fill(&box) < 0) { //~ step #b1 "calls `box_fill`"
        box_close(&box);
        //~^ double-free #b "`box.bytes` was freed, and `box_close` frees it again" cause program when "true"
        //~^ step #b4 "the pointer is passed here"
        return;
    }
    box_close(&box);
}

void closed_after_success_ok(void)
{
    struct box box = {NULL, 1};
    if (box_fill(&box) == 0)
        box_close(&box);
}

void closed_unless_freed_ok(void)
{
    struct box box = {NULL, 1};
    if (box_fill(&box) == -2)
        box.owned = 0;
    box_close(&box);
}

static void *pool;

static void pool_drop(void) { free(pool); }

void pool_dropped_twice_bad(void)
{
    pool_drop();
    pool_drop(); //~ double-free
}

void pool_replaced_ok(void)
{
    pool_drop();
    pool = NULL;
    pool_drop();
}

static void each(void (*visit)(void *), void *p)
{
    visit(p); //~ step #c2 "calls `drop`"
    visit(p); //~ step #c4 "the pointer is passed here"
}

static void ignore(void *p) { (void)p; }

void visitor_frees_bad(void)
{
    void *p = malloc(8);
    if (!p)
        return;
    each(drop, p); //~ double-free #c "in `each`: `p` was freed, and `drop` frees it again" cause program
    //~^ step #c1 "this call makes `each` fail"
}

void visitor_ignores_ok(void)
{
    void *p = malloc(8);
    each(ignore, p);
    free(p);
}

static void drop_chain(void **p, int n)
{
    if (n == 0)
        return;
    free(*p);
    drop_chain(p + 1, n - 1);
}

void recursion_ok(void)
{
    void *blocks[2] = {malloc(8), malloc(8)};
    drop_chain(blocks, 2);
}

struct code { int (*call)(void); };
struct holder { struct code *code; };
static int one(void) { return 1; }
static int seven(void) { return 7; }
struct code other_code = {seven};

static int release_if_told(struct holder *holder, char *p)
{
    if (holder->code->call() == 7)
        free(p);
    return 0;
}

// Which function is called is known here, though not in the callee: it does not return 7.
void told_by_known_code_ok(void)
{
    struct code code = {one};
    struct holder holder = {&code};
    char *p = malloc(8);
    if (!p)
        return;
    release_if_told(&holder, p);
    free(p);
}
