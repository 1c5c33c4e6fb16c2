// Callers that pass what may not be freed.
#include "../stubs.h"

struct message {
    const char *text;
    int is_copy;
};

static const char *const defaults[] = {"low", "high"};

static void drop(void *p) { free(p); } //~ step #b3 "the pointer is freed here"
static void drop_before(char *p) { free(p - 4); } //~ step #a3 "the pointer is freed here"
static char *skip_header(char *p) { return p + 4; }
static char *name_or_default(void) { char *name = strdup("name"); return name ? name : (char *)"default"; }

static void message_clear(struct message *message)
{
    if (message->is_copy)
        free((void *)message->text);
    message->text = NULL;
}

void local_passed_bad(void)
{
    int local = 0;
    drop(&local); //~ invalid-free
}

void block_passed_ok(void) { drop(malloc(4)); }

void header_skipped_bad(void)
{
    char *p = malloc(8);
    if (!p)
        return;
    free(skip_header(p)); //~ invalid-free
}

void header_restored_ok(void)
{
    char *p = malloc(8);
    if (!p)
        return;
    free(skip_header(p) - 4);
}

void freed_before_ok(void)
{
    char *p = malloc(8);
    if (!p)
        return;
    drop_before(p + 4);
}

void freed_before_bad(void)
{
    char *p = malloc(8); //~ step #a1 "the block is allocated"
    if (!p)
        return;
    drop_before(p);
    //~^ invalid-free #a "`p` is freed by `drop_before`, but was allocated by `malloc`" cause program
    //~^ step #a2 "the pointer is passed here"
}

void default_freed_bad(void)
{
    free(name_or_default()); //~ invalid-free
}

void literal_not_owned_ok(void)
{
    struct message message = {"text", 0};
    message_clear(&message);
}

void literal_owned_bad(void)
{
    struct message message = {"text", 1};
    message_clear(&message); //~ invalid-free
}

void copy_owned_ok(void)
{
    struct message message = {strdup("text"), 1};
    message_clear(&message);
}

void table_entry_bad(void)
{
    drop((void *)defaults[1]); //~ invalid-free
}

static void with(void (*done)(void *))
{
    int local = 1;
    done(&local); //~ step #b2 "the pointer is passed here"
}

static void ignore(void *p) { (void)p; }

void callback_frees_bad(void)
{
    with(drop);
    //~^ invalid-free #b "in `with`: `&local` is freed by `drop`, but was never allocated" cause program
    //~^ step #b1 "this call makes `with` fail"
}

void callback_ignores_ok(void) { with(ignore); }
