// Memory that somebody else has a pointer to is not lost.
#include "../stubs.h"

struct entry {
    struct entry *next;
    char *text;
};

struct entry *registry(void);

static void keep(char *text)
{
    registry()->text = text;
}

void kept_by_unknown_code_ok(void)
{
    char *text = malloc(3);
    if (text)
        keep(text);
}

static void keep_in_entry(char *text)
{
    struct entry *entry = malloc(sizeof *entry);
    if (!entry) {
        free(text);
        return;
    }
    entry->text = text;
    entry->next = NULL;
    registry()->next = entry;
}

void kept_in_entry_of_unknown_code_ok(void)
{
    char *text = malloc(3);
    if (text)
        keep_in_entry(text);
}

static struct entry *last_of(struct entry *list)
{
    while (list->next)
        list = list->next;
    return list;
}

static void append(struct entry *list, char *text)
{
    struct entry *entry = malloc(sizeof *entry);
    if (!entry) {
        free(text);
        return;
    }
    entry->text = text;
    entry->next = NULL;
    last_of(list)->next = entry;
}

void appended_ok(struct entry *list)
{
    char *text = malloc(3);
    if (text)
        append(list, text);
}

static int compare(char *text)
{
    return registry()->text == text;
}

int only_compared_bad(void)
{
    char *text = malloc(3); //~ memory-leak
    return compare(text);
}

// Rounds that are not followed may free what is left.
void freed_in_later_rounds_ok(void)
{
    char *texts[8];
    for (int i = 0; i < 8; i++)
        texts[i] = malloc(4);
    for (int i = 0; i < 8; i++)
        free(texts[i]);
}

void freed_in_the_last_round_ok(int n)
{
    char *text = malloc(4);
    for (int i = 0; i <= n; i++)
        if (i == n)
            free(text);
    if (n < 0)
        free(text);
}

void not_touched_by_the_loop_bad(int n)
{
    char *text = malloc(4); //~ memory-leak
    for (int i = 0; i < n; i++)
        report("again");
    if (text)
        text[0] = 0;
}

// Unknown code gets an entry, and with it what the entry points to.
static void hand_over(char *text)
{
    struct entry *entry = malloc(sizeof *entry);
    if (!entry) {
        free(text);
        return;
    }
    entry->text = text;
    use(entry);
}

void handed_over_ok(void)
{
    char *text = malloc(3);
    if (text)
        hand_over(text);
}

struct slot { void *value; struct slot *next; };
struct slots { struct slot *first; int (*is_wanted)(const struct slot *, int); };

static void *put_in(struct slots *t, int key, void *value)
{
    for (struct slot *e = t->first; e; e = e->next)
        if (t->is_wanted(e, key)) {
            e->value = value;
            return value;
        }
    return NULL;
}

static int put_or_drop(struct slots *t, int key, void *value, void (*drop)(void *))
{
    if (put_in(t, key, value))
        return 0;
    drop(value);
    return -1;
}

// Unknown code has run: nobody knows any more that the slot holds the block, but it does.
int in_a_slot_ok(struct slots *t, void (*drop)(void *))
{
    char *p = malloc(8);
    if (!p)
        return -1;
    return put_or_drop(t, 1, p, drop);
}

static void fill_and_keep(struct entry *entry)
{
    entry->text = NULL;
    use(entry);
}

// Unknown code that a callee calls has got the pointer.
void kept_behind_a_callee_ok(void)
{
    struct entry *entry = malloc(sizeof *entry);
    if (entry)
        fill_and_keep(entry);
}
