// Allocations that fail, and wrappers around them: unchecked, aborting, with error codes.
#include "../stubs.h"

struct point {
    int x, y;
};

void malloc_unchecked_bad(void)
{
    int *p = malloc(sizeof *p); //~ step #a1 "`malloc` returns null"
    *p = 1; //~ null-deref #a "`p` is null and is dereferenced" cause environment when "true"
    free(p);
}

void malloc_checked_ok(void)
{
    int *p = malloc(sizeof *p);
    if (p != NULL)
        *p = 1;
    free(p);
}

int calloc_unchecked_bad(void)
{
    struct point *points = calloc(3, sizeof *points);
    int y = points[2].y; //~ null-deref
    free(points);
    return y;
}

void second_of_two_bad(void)
{
    int *p = malloc(sizeof *p);
    int *q = malloc(sizeof *q); //~ step #b1 "`malloc` returns null"
    if (p)
        *q = 2; //~ null-deref #b "`q` is null and is dereferenced" cause environment when "true"
    free(p);
    free(q);
}

void both_checked_at_once_ok(void)
{
    int *p = malloc(sizeof *p);
    int *q = malloc(sizeof *q);
    if (p && q)
        *p = *q = 2;
    free(p);
    free(q);
}

int strdup_unchecked_bad(void)
{
    char *copy = strdup("text");
    int first = copy[0]; //~ null-deref
    free(copy);
    return first;
}

void realloc_unchecked_bad(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return;
    int *q = realloc(p, 2 * sizeof *q);
    q[1] = 3; //~ null-deref
    free(q);
}

void realloc_keeps_old_ok(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return;
    int *q = realloc(p, 2 * sizeof *q);
    if (!q) {
        *p = 4;
        free(p);
        return;
    }
    q[1] = 3;
    free(q);
}

void memset_of_null_bad(void)
{
    struct point *p = malloc(sizeof *p);
    memset(p, 0, sizeof *p); //~ null-deref
    free(p);
}

void fopen_unchecked_bad(void)
{
    FILE *file = fopen("numbers", "r");
    fgetc(file); //~ null-deref
    fclose(file);
}

void fopen_checked_ok(void)
{
    FILE *file = fopen("numbers", "r");
    if (file) {
        fgetc(file);
        fclose(file);
    }
}

static void *plain(size_t size) { return malloc(size); } //~ step #c3 "`malloc` returns null"

static void *zeroed(size_t size)
{
    void *block = plain(size); //~ step #c2 "calls `plain`"
    if (block)
        memset(block, 0, size);
    return block;
}

static void *or_abort(size_t size)
{
    void *block = malloc(size);
    if (!block)
        abort();
    return block;
}

static void *or_die(size_t size)
{
    void *block = plain(size);
    return block ? block : (die("no memory"), NULL);
}

static void *logging(size_t size)
{
    void *block = malloc(size); //~ step #d2 "`malloc` returns null"
    if (!block)
        report("no memory");
    return block;
}

static int with_code(int **result)
{
    *result = malloc(sizeof **result);
    return *result ? 0 : -12;
}

static int with_inverted_code(int **result)
{
    *result = malloc(sizeof **result); //~ step #e2 "`malloc` returns null"
    return *result != NULL;
}

void through_wrapper_bad(void)
{
    int *p = plain(sizeof *p);
    *p = 1; //~ null-deref
    free(p);
}

void through_two_wrappers_bad(void)
{
    struct point *p = zeroed(sizeof *p); //~ step #c1 "calls `zeroed`"
    p->y = 1; //~ null-deref #c "`p` is null and is dereferenced" cause environment when "true"
    free(p);
}

void wrapper_aborts_ok(void)
{
    int *p = or_abort(sizeof *p);
    *p = 1;
    free(p);
}

void wrapper_dies_ok(void)
{
    int *p = or_die(sizeof *p);
    *p = 1;
    free(p);
}

void wrapper_only_logs_bad(void)
{
    int *p = logging(sizeof *p); //~ step #d1 "calls `logging`"
    *p = 1; //~ null-deref #d "`p` is null and is dereferenced" cause environment when "true"
    free(p);
}

void code_checked_ok(void)
{
    int *p;
    if (with_code(&p) < 0)
        return;
    *p = 1;
    free(p);
}

void code_ignored_bad(void)
{
    int *p;
    with_code(&p);
    *p = 1; //~ null-deref
    free(p);
}

void code_misread_bad(void)
{
    int *p;
    if (with_inverted_code(&p) < 0) //~ step #e1 "calls `with_inverted_code`"
        return;
    *p = 1; //~ null-deref #e "`p` is null and is dereferenced" cause environment when "true"
    free(p);
}

void unknown_allocator_ok(void)
{
    int *p = any_block(sizeof *p);
    *p = 1;
    use(p);
}
