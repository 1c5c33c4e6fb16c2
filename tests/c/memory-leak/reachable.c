// What keeps a block alive: results, out-parameters, globals, members, and pointers in disguise.
#include "../stubs.h"

struct list {
    struct list *next;
};

struct item {
    int number;
    struct list link;
    char *name;
};

static struct list *all;
static void *slots[4];
static uintptr_t word;

void in_global_ok(void)
{
    struct list *entry = malloc(sizeof *entry);
    if (!entry)
        return;
    entry->next = all;
    all = entry;
}

void global_overwritten_bad(void)
{
    all = malloc(sizeof *all); //~ memory-leak
    all = NULL;
}

void in_slot_ok(void) { slots[2] = malloc(8); }

void in_parameter_ok(struct item *item) { item->name = strdup("name"); }

void in_out_parameter_ok(char **out) { *out = malloc(8); }

void parameter_itself_bad(char *out)
{
    out = malloc(8); //~ memory-leak
    if (out)
        out[0] = 'x';
}

void interior_ok(void)
{
    struct item *item = malloc(sizeof *item);
    if (!item)
        return;
    item->link.next = all;
    item->name = NULL;
    all = &item->link;
}

struct list *interior_result_ok(void)
{
    struct item *item = calloc(1, sizeof *item);
    return item ? &item->link : NULL;
}

void one_past_header_ok(void **out)
{
    char *block = malloc(24);
    *out = block ? block + 8 : NULL;
}

void tagged_ok(void)
{
    void *block = malloc(8);
    word = (uintptr_t)block | 1;
}

uintptr_t tagged_result_ok(void)
{
    void *block = malloc(8);
    return block ? (uintptr_t)block + 3 : 0;
}

void address_tested_only_bad(void)
{
    void *block = malloc(8); //~ memory-leak
    word = block != NULL;
}

void reachable_through_block_ok(struct item *item)
{
    char **box = malloc(sizeof *box);
    if (!box)
        return;
    *box = malloc(8);
    item->name = (char *)box;
}

void only_outer_freed_bad(void)
{
    struct item *item = calloc(1, sizeof *item);
    if (!item)
        return;
    item->name = malloc(8); //~ memory-leak
    free(item);
}

void both_freed_ok(void)
{
    struct item *item = calloc(1, sizeof *item);
    if (!item)
        return;
    item->name = malloc(8);
    free(item->name);
    free(item);
}

void cycle_bad(void)
{
    struct list *first = malloc(sizeof *first); //~ memory-leak
    if (!first)
        return;
    struct list *second = malloc(sizeof *second); //~ memory-leak
    if (!second) {
        free(first);
        return;
    }
    first->next = second;
    second->next = first;
}

void given_away_ok(void) { use(malloc(8)); }

void given_away_inside_ok(void)
{
    struct item *item = calloc(1, sizeof *item);
    if (!item)
        return;
    item->name = malloc(8);
    use(item);
}

void shown_only_bad(void)
{
    int *p = calloc(1, sizeof *p); //~ memory-leak
    if (p && look(p))
        report("seen");
}

void printed_only_bad(void)
{
    char *text = strdup("text"); //~ memory-leak
    if (text)
        printf("%s\n", text);
}

void in_local_array_bad(void)
{
    void *table[2];
    table[1] = malloc(8); //~ memory-leak
    table[0] = table[1];
}

struct item structure_result_ok(void)
{
    struct item item = {1, {NULL}, malloc(8)};
    return item;
}

void structure_dropped_bad(void)
{
    structure_result_ok(); //~ memory-leak
}

void structure_assigned_ok(struct item *out)
{
    struct item item = {1, {NULL}, malloc(8)};
    *out = item;
}

void bytes_copied_ok(void **out)
{
    void *block = malloc(8);
    memcpy(out, &block, sizeof block);
}

void old_value_lost_ok(char **out)
{
    *out = NULL;
}

void equal_to_kept_ok(void)
{
    void *block = malloc(8);
    slots[0] = block;
    block = NULL;
}

void static_local_ok(void)
{
    static void *once;
    if (!once)
        once = malloc(8);
}

void in_union_ok(void)
{
    union { char *pointer; uintptr_t bits; } cell;
    cell.pointer = malloc(8);
    word = cell.bits;
}

char *any_text(void);

// On the way on which the two pointers are one, the block is returned.
char *found_again_ok(void)
{
    char *own = malloc(8);
    char *other = any_text();
    if (own == other)
        return other;
    free(own);
    return other;
}
