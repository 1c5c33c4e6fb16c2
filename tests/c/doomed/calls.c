// args: --only doomed
// Callees: inlined where they are small, contracts where they are not.
#include "../stubs.h"

struct node { int key; struct node *next; };

static int key_of(struct node *node)
{
    return node->key; //~ step #a4 "`node` is null here"
}

static int key_or_zero(struct node *node)
{
    return node ? node->key : 0;
}

int passes_null_bad(struct node *node)
{
    if (!node)
        return key_of(node); //~ doomed null-deref "`node` is null"
    return 0;
}

int passes_null_ok(struct node *node)
{
    if (!node)
        return key_or_zero(node);
    return 0;
}

static int key_below(struct node *node)
{
    return key_of(node) + 1; //~ step #a3 "calls `key_of`"
}

// Two calls deep.
int passes_null_down_bad(struct node *node)
{
    if (!node) //~ step #a1 "taking the branch where `node` is null"
        return key_below(node);
        //~^ doomed null-deref #a "`node` is null here; no execution gets past this line" cause program
        //~^ step #a2 "calls `key_below`"
    return 0;
}

static struct node *no_node(void)
{
    return NULL;
}

int callee_returns_null_bad(void)
{
    return no_node()->key; //~ doomed null-deref "is null"
}

static int fails_for_everybody_bad(void)
{
    int *p = NULL;
    return *p; //~ doomed null-deref "`p` is null"
}

// It is told once, in the callee.
int calls_what_fails_ok(void)
{
    return fails_for_everybody_bad();
}

int unknown_returns_anything_ok(void)
{
    return any_pointer()[0];
}

static void reset(struct node *node)
{
    node->next = NULL;
}

int reset_by_callee_bad(struct node *node)
{
    reset(node);
    return node->next->key; //~ doomed null-deref "is null"
}

static void look_at(const struct node *node)
{
    if (node->key > 3)
        report("large");
    if (node->key > 4)
        report("larger");
}

// Unknown code may have set it.
int may_be_set_ok(struct node *node)
{
    if (!node->next) {
        look_at(node);
        return node->next->key;
    }
    return 0;
}

int only_read_bad(int *p, const int *value)
{
    if (!p) {
        int k = look(value);
        return *p + k; //~ doomed null-deref "`p` is null"
    }
    return 0;
}

static struct node *find(struct node *node, int key)
{
    while (node && node->key != key) //~ step #b2 "taking the branch where `node` is null"
        node = node->next;
    return node;
}

int found_or_null_ok(struct node *node)
{
    return find(node, 3)->key;
}

int tested_and_used_bad(struct node *node)
{
    struct node *found = find(node, 3); //~ step #b1 "calls `find`"
    if (!found) //~ step #b3 "taking the branch where `found` is null"
        found->key = 3; //~ doomed null-deref #b "`found` is null here; no execution gets past this line" cause program
    return 0;
}

static struct node the_node;

static struct node *the_only_node(void)
{
    return &the_node;
}

int never_null_ok(void)
{
    return the_only_node()->key;
}

static int count_down(int n)
{
    return n <= 0 ? 0 : 1 + count_down(n - 1);
}

int recursion_ok(int n)
{
    return 10 / count_down(n);
}

static void release(struct node *node)
{
    free(node); //~ step #c2 "the block is freed"
}

int released_by_callee_bad(struct node *node)
{
    release(node); //~ step #c1 "calls `release`"
    return node->key; //~ doomed use-after-free #c "`node` was freed before; no execution gets past this line" cause program
}

int out_parameter_ok(void)
{
    int *p = NULL;
    make(&p);
    return *p;
}

int out_parameter_of_reader_ok(int k)
{
    int value = 0;
    fill(&value);
    return k / value;
}
