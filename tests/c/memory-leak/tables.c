// Tables that nobody writes hold what their initializer says, `const` or not.
#include <stdlib.h>

struct lookup;
struct method { int (*make)(struct lookup *); int (*control)(struct lookup *); };
struct lookup { struct method *method; void *data; };

static int control_file(struct lookup *l) { free(l); return 1; }
static int make_dir(struct lookup *l) { l->data = malloc(16); return l->data != NULL; }
static int control_dir(struct lookup *l) { free(l->data); free(l); return 1; }

static struct method file_table = { NULL, control_file };
static struct method dir_table = { make_dir, control_dir };
struct method *lookup_file(void) { return &file_table; }
struct method *lookup_dir(void) { return &dir_table; }

static struct lookup *lookup_new(struct method *m)
{
    struct lookup *l = calloc(1, sizeof *l); //~ step #a2 "the block is allocated"
    if (!l)
        return NULL;
    l->method = m;
    if (m->make && m->make(l) == 0) { //~ step #a3 "taking the branch where `written_table.make` is null"
        free(l);
        return NULL;
    }
    return l;
}

// The table has a function that frees it: its address was given away, but nobody writes it.
int load_dir_ok(void)
{
    struct lookup *l = lookup_new(lookup_dir());
    if (!l)
        return 0;
    return l->method->control ? l->method->control(l) : 1;
}

static int keep(struct lookup *l) { return l->data != NULL; }
static struct method keeping_table = { make_dir, keep };
struct method *lookup_keeping(void) { return &keeping_table; }

int load_keeping_bad(void)
{
    struct lookup *l = lookup_new(lookup_keeping()); //~ memory-leak
    if (!l)
        return 0;
    return l->method->control ? l->method->control(l) : 1;
}

// Somebody changes this one.
static struct method written_table = { make_dir, control_dir };
void let_keep(void) { written_table.control = keep; }

int load_written_latent(void)
{
    struct lookup *l = lookup_new(&written_table);
    //~^ latent memory-leak #a "memory allocated by `lookup_new` is never freed" cause program
    //~^ step #a1 "calls `lookup_new`"
    if (!l)
        return 0;
    return l->method->control ? l->method->control(l) : 1;
    //~^ step #a4 "taking the branch where `l->method->control` is null"
} //~ step #a5 "the function returns, and nothing points to the block"

// Whoever uses this code may change that one. By default nothing is lost.
static struct method default_table = { make_dir, control_dir };
void set_control(int (*control)(struct lookup *)) { default_table.control = control; }

int load_default_ok(void)
{
    struct lookup *l = lookup_new(&default_table);
    if (!l)
        return 0;
    return l->method->control ? l->method->control(l) : 1;
}

// Plain data that nobody writes and nobody else sees.
static int sizes[] = { 0, 16, 32 };
static int verbose;

void sizes_ok(void)
{
    char *p = malloc(8);
    if (sizes[1] == 16 && !verbose)
        free(p);
}

void sizes_bad(void)
{
    char *p = malloc(8); //~ memory-leak
    if (sizes[1] != 16)
        free(p);
}

static int level;
void set_level(int n) { level = n; }

void level_latent(void)
{
    char *p = malloc(8); //~ latent memory-leak #b "memory allocated here" cause program when "level == 0"
    //~^ step #b1 "the block is allocated"
    if (level) //~ step #b2 "taking the branch where `level == 0`"
        free(p);
} //~ step #b3 "the function returns, and nothing points to the block"

static int counts[2] = { 1, 2 };
int *all_counts(void) { return counts; }

void counts_latent(void)
{
    char *p = malloc(8); //~ latent memory-leak #c "memory allocated here" cause program when "counts[0] != 1"
    //~^ step #c1 "the block is allocated"
    if (counts[0] == 1) //~ step #c2 "taking the branch where `counts[0] != 1`"
        free(p);
} //~ step #c3 "the function returns, and nothing points to the block"

struct handler { int (*open)(struct lookup *); void (*close)(struct lookup *); };
static void close_dir(struct lookup *l) { free(l->data); }
static struct handler plain_handler = { NULL, NULL };
static struct handler dir_handler = { make_dir, close_dir };
struct handler *handler_plain(void) { return &plain_handler; }
struct handler *handler_dir(void) { return &dir_handler; }

static int use_handler(struct handler *h)
{
    struct lookup l = { NULL, NULL };
    if (h->open && h->open(&l) == 0)
        return 0;
    if (h->close)
        h->close(&l);
    return 1;
}

int use_dir_ok(void) { return use_handler(handler_dir()); }
int FP_empty_members_ok(void) // FP: nobody fills in `open` alone, docs/limits.md#invariants
{
    return use_handler(handler_plain()); //~ latent memory-leak
}
