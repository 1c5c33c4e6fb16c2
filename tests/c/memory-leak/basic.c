// Blocks that nobody can free any more when the function ends.
#include "../stubs.h"

void never_freed_bad(void)
{
    int *p = malloc(sizeof *p); //~ memory-leak
    if (p)
        *p = 1;
}

void freed_ok(void)
{
    int *p = malloc(sizeof *p);
    if (p)
        *p = 1;
    free(p);
}

void result_ignored_bad(void)
{
    malloc(8); //~ memory-leak
}

void *returned_ok(void) { return malloc(8); }

void overwritten_bad(void)
{
    char *p = malloc(8); //~ memory-leak
    p = malloc(16);
    free(p);
}

void overwritten_by_itself_ok(void)
{
    char *p = malloc(8);
    char *q = p;
    p = q;
    free(p);
}

int early_return_bad(void)
{
    char *p = malloc(8); //~ memory-leak
    if (!p)
        return -1;
    if (any() < 0)
        return -2;
    free(p);
    return 0;
}

int early_return_when_null_ok(void)
{
    char *p = malloc(8);
    if (!p)
        return -1;
    free(p);
    return 0;
}

int second_fails_bad(void)
{
    char *p = malloc(8); //~ memory-leak #a "memory allocated here" cause program when "true"
    //~^ step #a1 "the block is allocated"
    if (!p)
        return -1;
    char *q = malloc(8); //~ step #a2 "`malloc` returns null"
    if (!q)
        return -1;
    free(q);
    free(p);
    return 0;
} //~ step #a3 "the function returns, and nothing points to the block"

int second_fails_ok(void)
{
    char *p = malloc(8), *q = malloc(8);
    if (!p || !q) {
        free(p);
        free(q);
        return -1;
    }
    free(q);
    free(p);
    return 0;
}

int one_kind_forgotten_latent(int kind)
{
    char *p = malloc(8); //~ latent memory-leak #b "memory allocated here" cause program when "kind == 4"
    //~^ step #b1 "the block is allocated"
    if (kind != 4) //~ step #b2 "taking the branch where `kind == 4`"
        free(p);
    return kind; //~ step #b3 "the function returns, and nothing points to the block"
}

int all_kinds_ok(int kind)
{
    char *p = malloc(8);
    switch (kind) {
    case 1: free(p); return 1;
    case 2: free(p); return 4;
    default: break;
    }
    free(p);
    return 0;
}

int switch_forgets_latent(int kind)
{
    char *p = malloc(8); //~ latent memory-leak #c "memory allocated here" cause program when "kind == 2"
    //~^ step #c1 "the block is allocated"
    switch (kind) { //~ step #c2 "taking the branch where `kind == 2`"
    case 1: free(p); return 1;
    case 2: return 4;
    default: break;
    }
    free(p);
    return 0;
} //~ step #c3 "the function returns, and nothing points to the block"

void freed_for_both_ok(int flag)
{
    char *p = malloc(8);
    if (flag)
        free(p);
    else {
        report("other");
        free(p);
    }
}

void lost_for_both_bad(int flag)
{
    char *p = malloc(8); //~ memory-leak
    if (flag)
        report("one");
    else
        report("other");
    p = NULL;
}

int goto_cleanup_ok(void)
{
    int result = -1;
    char *p = NULL, *q = NULL;
    p = malloc(8);
    if (!p)
        goto done;
    q = malloc(8);
    if (!q)
        goto done;
    result = any();
done:
    free(q);
    free(p);
    return result;
}

int goto_wrong_label_bad(void)
{
    int result = -1;
    char *p = malloc(8); //~ memory-leak
    if (!p)
        goto none;
    char *q = malloc(8);
    if (!q)
        goto none;
    result = any();
    free(q);
    free(p);
none:
    return result;
}

void realloc_lost_bad(void)
{
    char *p = malloc(8); //~ memory-leak #d "memory allocated here" cause program when "true"
    //~^ step #d1 "the block is allocated"
    if (!p)
        return;
    p = realloc(p, 16); //~ step #d2 "`realloc` returns null"
    free(p);
} //~ step #d3 "the function returns, and nothing points to the block"

void realloc_kept_ok(void)
{
    char *p = malloc(8);
    if (!p)
        return;
    char *q = realloc(p, 16);
    free(q ? q : p);
}

void exits_ok(void)
{
    char *p = malloc(8);
    if (!p || any())
        exit(1);
    free(p);
}

void aborts_ok(void)
{
    char *p = malloc(8);
    if (p && any())
        abort();
    free(p);
}

void dies_ok(void)
{
    char *p = malloc(8);
    if (p)
        die("with memory");
}

void loop_bad(void)
{
    char *p = NULL;
    for (int i = 0; i < 2; i++)
        p = malloc(8); //~ memory-leak
    free(p);
}

void loop_ok(void)
{
    for (int i = 0; i < 2; i++) {
        char *p = malloc(8);
        free(p);
    }
}

void long_loop_ok(void)
{
    char *p = malloc(8);
    for (int i = 0; i < 100; i++)
        report("again");
    free(p);
}

void after_long_loop_bad(void)
{
    char *p = malloc(8); //~ memory-leak
    if (!p)
        return;
    for (int i = 0; i < 100; i++)
        p[0] = 'x';
}

void break_out_bad(void)
{
    for (;;) {
        char *p = malloc(8); //~ memory-leak
        if (any())
            break;
        free(p);
    }
}

void strdup_bad(void)
{
    char *copy = strdup("text"); //~ memory-leak
    if (copy)
        puts(copy);
}

void compared_with_null_ok(void)
{
    char *p = malloc(8);
    if (p != NULL)
        free(p);
}

static int flag_once = 1;

static void *allocate_once(void)
{
    if (flag_once)
        flag_once = 0;
    return malloc(8);
}

// Whether the flag was set before makes no difference.
void whatever_the_flag_bad(void)
{
    allocate_once(); //~ memory-leak
}

static int length_or_zero(const char *text) { return text ? (int)strlen(text) : 0; }

// Careful callees are no reason to think that somebody passes null.
int needs_missing_argument_ok(const char *text)
{
    char *p = malloc(8);
    if (!p)
        return -1;
    if (length_or_zero(text) == 0 && !text)
        return 0;
    free(p);
    return 1;
}
