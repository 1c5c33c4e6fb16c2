// The only pointer to a block lies in memory that something else was written to at an unknown place: it may still be there.
#include <stdlib.h>
#include <string.h>

struct context { char *buffer; char key[32]; };
struct vector { char **start, **finish; };

static struct context *make(void)
{
    struct context *c = malloc(sizeof *c);
    if (!c)
        exit(1);
    c->buffer = malloc(10);
    return c;
}

static void set(struct context *c, int i)
{
    c->key[i & 31] = 1;
}

static void set_many(struct context *c, size_t count)
{
    if (count <= 32)
        memset(c->key, 0, count);
}

struct context *at_index_in_callee_ok(int i)
{
    struct context *c = make();
    set(c, i);
    return c;
}

struct context *some_bytes_in_callee_ok(size_t count)
{
    struct context *c = make();
    set_many(c, count);
    return c;
}

struct context *in_long_loop_ok(void)
{
    struct context *c = make();
    for (int i = 0; i < 32; i++)
        c->key[i] = 0;
    return c;
}

static void push(struct vector *v, char *p)
{
    long n = v->finish - v->start;
    char **fresh = malloc((n + 1) * sizeof *fresh);
    if (!fresh)
        abort();
    fresh[n] = p;
    if (n > 0)
        memmove(fresh, v->start, n * sizeof *fresh);
    free(v->start);
    v->start = fresh;
    v->finish = fresh + n + 1;
}

void pushed_ok(struct vector *v)
{
    push(v, malloc(8192));
}

void overwritten_bad(void)
{
    struct context *c = make(); //~ memory-leak
    c->buffer = 0;
    free(c);
}

static char *copy(const char *text)
{
    size_t size = strlen(text) + 1;
    char *c = malloc(size); //~ step #a2 "the block is allocated"
    if (c)
        memcpy(c, text, size);
    return c;
}

int copy_of_unknown_length_latent(const char *text)
{
    char *c = copy(text);
    //~^ latent memory-leak #a "memory allocated by `copy` is never freed" cause program when "*text != 0"
    //~^ step #a1 "calls `copy`"
    if (!c || text[0] == 0) //~ step #a3 "taking the branch where `*text != 0`"
        free(c);
    return 0; //~ step #a4 "the function returns, and nothing points to the block"
}

static char *some(void)
{
    char *p = malloc(8);
    if (!p)
        abort();
    return p;
}

// The array moves: what was pushed before goes along.
void pushed_twice_ok(struct vector *v)
{
    push(v, some());
    push(v, some());
}

struct list { int size, count; char **items; };

static void add(struct list *l, char *p)
{
    if (l->count == l->size) {
        l->size = l->size ? 2 * l->size : 16;
        l->items = realloc(l->items, sizeof *l->items * l->size);
        if (!l->items)
            abort();
    }
    l->items[l->count++] = p;
}

void added_ok(struct list *l, int n)
{
    if (l->count < 0)
        return;
    for (; n > 0; n--)
        add(l, some());
}

static void clear(struct vector *v)
{
    free(v->start);
    v->start = 0;
}

void freed_with_the_array_bad(void)
{
    char *p = some(); //~ memory-leak
    struct vector v = { malloc(sizeof *v.start), 0 };
    if (!v.start)
        abort();
    v.start[0] = p;
    clear(&v);
}

struct named { char *name; int count; };
void release_parts(struct named *n);

static void drop(struct named *n)
{
    release_parts(n);
    free(n);
}

// Unknown code may have freed the name.
int dropped_ok(void)
{
    struct named *n = malloc(sizeof *n);
    if (!n)
        return -1;
    n->name = malloc(10);
    n->count = 1;
    drop(n);
    return 0;
}

static void drop_shallow(struct named *n)
{
    free(n);
}

int dropped_shallow_bad(void)
{
    struct named *n = malloc(sizeof *n);
    if (!n)
        return -1;
    n->name = malloc(10); //~ memory-leak
    n->count = 1;
    drop_shallow(n);
    return 0;
}

struct source { char *pool; };
struct source *of_this_thread(void);

// Who has the source has the pool, too; that its address is compared does not make it the caller's.
static int fill(struct source *s)
{
    char seed[4];
    if (!s->pool)
        s->pool = malloc(16);
    if (!s->pool || s->pool == seed)
        return 0;
    seed[0] = 1;
    s->pool[0] = seed[0];
    return 1;
}

int random_bytes(void)
{
    struct source *s = of_this_thread();
    return s ? fill(s) : 0;
}

int of_thread_ok(void)
{
    return random_bytes() > 0;
}

int of_own_bad(void)
{
    struct source s = { 0 };
    return fill(&s) > 0; //~ memory-leak
}

// Behind what was written there is no null.
static int encode(unsigned char **out, size_t length)
{
    unsigned char *p;
    if (*out) {
        p = *out;
        *out += length;
    } else {
        p = malloc(length);
        if (!p)
            return -1;
        *out = p;
    }
    p[0] = 1;
    return 1;
}

int encode_behind_ok(unsigned char *out, size_t extra)
{
    unsigned char *p = out;
    *p++ = 1;
    memset(p, 0, extra);
    p += extra;
    return encode(&p, 4);
}

int encode_nowhere_bad(void)
{
    unsigned char *p = 0;
    return encode(&p, 4); //~ memory-leak
}
