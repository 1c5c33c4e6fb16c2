// Le et al., Finding Real Bugs in Big Programs with Incorrectness Logic, §2.1: a null dereference behind an allocator
// wrapper (Listings 1 and 2), the check that repairs it, and the wrapper that aborts instead (Listing 3).
#include "../stubs.h"

struct certificate {
    struct certificate *next, *previous;
    void *key;
};

/* There are two wrappers, and only one of them can return null. */
static void *test_alloc(size_t size, const char *what)
{
    void *block = malloc(size); //~ step #a2 "`malloc` returns null"
    if (!block)
        report(what);
    return block;
}

static void *application_alloc(size_t size, const char *what)
{
    void *block;
    if (!(block = malloc(size))) {
        report(what);
        abort();
    }
    return block;
}

int prepend_bad(struct certificate **list)
{
    struct certificate *entry = test_alloc(sizeof *entry, "certificate"); //~ step #a1 "calls `test_alloc`"
    memset(entry, 0, sizeof *entry); //~ null-deref #a "`entry` is null and is dereferenced" cause environment
    entry->next = *list;
    *list = entry;
    return 1;
}

int prepend_checked_ok(struct certificate **list)
{
    struct certificate *entry = test_alloc(sizeof *entry, "certificate");
    if (entry == NULL)
        return 0;
    memset(entry, 0, sizeof *entry);
    entry->next = *list;
    *list = entry;
    return 1;
}

int prepend_or_abort_ok(struct certificate **list)
{
    struct certificate *entry = application_alloc(sizeof *entry, "certificate");
    memset(entry, 0, sizeof *entry);
    entry->next = *list;
    *list = entry;
    return 1;
}

/* A callee with a manifest error is reported there, and not once more in each caller. */
int prepend_two(struct certificate **list) { return prepend_bad(list) + prepend_bad(list); }

/* Footnote 2: an allocator behind a pointer that may be set at run time, and is nowhere set to another function. */
void *(*hook)(size_t) = malloc;

void default_allocator_bad(void)
{
    struct certificate *entry = hook(sizeof *entry);
    entry->next = NULL; //~ null-deref
    use(entry);
}
