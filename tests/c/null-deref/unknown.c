// Code that nobody knows: what it returns is not assumed to be null, unless the program itself finds it null.
#include "../stubs.h"

int result_used_ok(void) { return *any_pointer(); }

int result_tested_then_used_bad(void)
{
    int *p = any_pointer(); //~ step #a1 "`any_pointer` returns the pointer"
    if (!p) //~ step #a2 "taking the branch where `any_pointer()` is null"
        report("no pointer");
    return *p; //~ null-deref #a "`p` is null and is dereferenced" cause unknown when "true"
}

int result_tested_ok(void)
{
    int *p = any_pointer();
    if (!p)
        return 0;
    return *p;
}

int test_of_another_result_ok(void)
{
    int *p = any_pointer();
    int *q = any_pointer();
    if (!p)
        return *q;
    return *p;
}

int equal_to_a_null_pointer_bad(void)
{
    int *p = any_pointer();
    int *q = NULL;
    if (p == q)
        return *p; //~ null-deref
    return 0;
}

int tested_after_use_ok(void)
{
    int *p = any_pointer();
    int value = *p;
    if (!p)
        report("too late, but not null");
    return value;
}

int out_parameter_ok(void)
{
    int *p = NULL;
    make(&p);
    return *p;
}

int tested_out_parameter_bad(void)
{
    int *p = NULL;
    make(&p);
    int missing = 0;
    if (p == NULL) //~ step #b1 "taking the branch where `p` is null"
        missing = 1;
    return *p + missing; //~ null-deref #b "`p` is null and is dereferenced" cause unknown when "true"
}

int read_only_argument_ok(void)
{
    int value = 3;
    int *p = &value;
    return look(p) + *p;
}

static int *maybe(void)
{
    int *p = any_pointer();
    return p ? p : NULL;
}

int wrapped_test_bad(void)
{
    return *maybe(); //~ null-deref
}

static int *checked(void)
{
    int *p = any_pointer();
    if (!p)
        die("none");
    return p;
}

int wrapped_check_ok(void) { return *checked(); }

int member_of_result_ok(void)
{
    struct item { int *value; } *item = any_block(sizeof *item);
    return *item->value;
}

int member_tested_bad(void)
{
    struct item { int *value; } *item = any_block(sizeof *item);
    if (item->value == NULL) //~ step #c1 "taking the branch where `item->value` is null"
        report("empty");
    return *item->value; //~ null-deref #c "`item->value` is null and is dereferenced" cause unknown
}

int small_constant_address_bad(void)
{
    struct item { int first, second; } *item = NULL;
    return item->second; //~ null-deref
}

// What a thread has stored under a key is the program's own business, as what is in a variable.
typedef unsigned int pthread_key_t;
void *pthread_getspecific(pthread_key_t key);

static pthread_key_t session_key;

static int *session(void)
{
    int **slots = pthread_getspecific(session_key);
    if (!slots)
        return NULL;
    return slots[0];
}

int stored_by_thread_ok(void)
{
    int *current = session();
    return *current;
}

struct kind { int tag; int *value; };
struct kind *any_kind(void);

static int value_of(struct kind *k)
{
    int has_value = k->value != NULL;
    if (!has_value)
        report("empty");
    if (k->tag == 4)
        return *k->value;
    return has_value;
}

// What unknown code makes has invariants: a thing with tag 4 may always have a value.
int two_members_ok(void) { return value_of(any_kind()); }

struct node { struct node *left, *right; int n; };
struct node *any_node(void);

// Two pointers in memory of unknown code may be equal, but nothing rests on it.
int same_child_ok(void)
{
    struct node *tree = any_node();
    free(tree->left);
    int n = tree->right->n;
    free(tree->right);
    return n;
}

static int *current;
static int ask(void) { return any(); }

// Unknown code may write globals, called directly or by a callee.
int global_written_by_unknown_code_ok(void)
{
    current = NULL;
    report("now");
    return *current;
}

int global_written_meanwhile_ok(void)
{
    current = NULL;
    ask();
    return *current;
}

int set_current(int *p) { current = p; return 0; }

static volatile int ready;

// Others may write a volatile variable at any time.
int written_meanwhile_bad(void)
{
    int *p = NULL;
    ready = 0;
    if (ready == 1) //~ step #d1 "taking the branch where `ready == 1`"
        return *p; //~ null-deref #d "`p` is null and is dereferenced" cause program when "true"
    return 0;
}

struct element { struct element **back; int n; };
struct list { struct element *first; };
struct list *any_list(void);

static int detach(struct list *list)
{
    struct element *element = list->first;
    *element->back = NULL;
    return element->n;
}

// Where `back` leads to nobody knows; that it is to the list is not assumed.
int detached_ok(void)
{
    struct list *list = any_list();
    detach(list);
    return list->first->n;
}
