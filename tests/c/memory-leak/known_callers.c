// A leak that depends on callers is left to them if they are all known: a static function that only the file can call.
#include <stdlib.h>

struct list { char **items; int count, size; };

static int put(struct list *l, char *p)
{
    if (!l->items) //~ step #a4 "taking the branch where `l->items` is null"
    //~^ step #b5 "taking the branch where `l->items` is null"
        return -1;
    l->items[l->count++] = p;
    return 0;
}

// The items are there whenever this is called: `list_new` fails without them.
static int add(struct list *l)
{
    char *p = malloc(8);
    if (!p)
        return -1;
    return put(l, p);
}

static struct list *list_new(void)
{
    struct list *l = malloc(sizeof *l);
    if (!l)
        return 0;
    l->count = 0;
    l->size = 4;
    l->items = calloc(4, sizeof *l->items);
    if (!l->items) {
        free(l);
        return 0;
    }
    return l;
}

struct list *invariant_ok(void)
{
    struct list *l = list_new();
    if (l)
        add(l);
    return l;
}

int tested_ok(struct list *l)
{
    return l->items ? add(l) : -1;
}

// The same helper, called by somebody who breaks the rule.
static int add_to_any(struct list *l)
{
    char *p = malloc(8);
    if (!p)
        return -1;
    return put(l, p);
}

int empty_list_bad(void)
{
    struct list l = { 0, 0, 0 };
    return add_to_any(&l); //~ memory-leak "`add_to_any`"
}

// Anybody may call this one, with a list of any kind.
static int add_for_anybody(struct list *l)
{
    char *p = malloc(8); //~ step #a2 "the block is allocated"
    if (!p)
        return -1;
    return put(l, p); //~ step #a3 "calls `put`"
} //~ step #a5 "the function returns, and nothing points to the block"

int anybody_latent(struct list *l)
{
    return add_for_anybody(l);
    //~^ latent memory-leak #a "memory that `add_for_anybody` allocates" cause program when "l->items == 0"
    //~^ step #a1 "this call makes `add_for_anybody` lose memory"
}

// Through two static functions.
static int add_twice(struct list *l)
{
    char *p = malloc(8); //~ step #b3 "the block is allocated"
    if (!p)
        return -1;
    return put(l, p); //~ step #b4 "calls `put`"
} //~ step #b6 "the function returns, and nothing points to the block"

static int hand_on(struct list *l, int n)
{
    return n > 3 ? add_twice(l) : 0; //~ step #b2 "this call makes `add_twice` lose memory"
}

int two_levels_latent(struct list *l)
{
    return hand_on(l, 7);
    //~^ latent memory-leak #b "memory that `hand_on` allocates" cause program when "l->items == 0"
    //~^ step #b1 "this call makes `hand_on` lose memory"
}

int two_levels_ok(struct list *l)
{
    return hand_on(l, 2);
}

// Who has the address may be anybody.
static int handler(struct list *l)
{
    char *p = malloc(8); //~ latent memory-leak
    if (!p)
        return -1;
    return put(l, p);
}

int (*address_taken(void))(struct list *)
{
    return handler;
}

int calls_it_too_ok(void)
{
    struct list *l = list_new();
    int result = 0;
    if (l) {
        result = handler(l);
        free(l->items[0]);
        free(l->items);
        free(l);
    }
    return result;
}

// Certain for all callers: it is told where it is.
static int certain(struct list *l)
{
    char *p = malloc(8); //~ memory-leak
    return p ? l->size : 0;
}

int calls_certain_ok(struct list *l)
{
    return certain(l);
}

// The error path of a helper that tests its own argument.
static char *copy_header(const char *from, int length)
{
    char *header = malloc(16); //~ step #c2 "the block is allocated"
    if (!header)
        return 0;
    if (length > 16) //~ step #c3 "taking the branch where `length >= 17`"
        return 0;
    for (int i = 0; i < 2; i++)
        header[i] = from[i];
    return header;
} //~ step #c4 "the function returns, and nothing points to the block"

char *error_path_latent(const char *from, int length)
{
    return copy_header(from, length);
    //~^ latent memory-leak #c "memory that `copy_header` allocates" cause program when "length >= 17"
    //~^ step #c1 "this call makes `copy_header` lose memory"
}

struct owner { char **items; int count; void (*release)(void *); };

struct owner *owner_new(void)
{
    struct owner *o = calloc(1, sizeof *o);
    if (o)
        o->release = free;
    return o;
}

static void owner_clear(char **items, int count, void (*release)(void *))
{
    if (release)
        for (int i = 0; i < count; i++)
            release(items[i]);
    free(items);
}

int FP_always_with_release_ok(struct owner *o) // FP: every owner has `release`, docs/limits.md#invariants
{
    char **items = malloc(sizeof *items);
    if (!items)
        return -1;
    items[0] = malloc(8); //~ latent memory-leak
    owner_clear(items, 1, o->release);
    return 0;
}
