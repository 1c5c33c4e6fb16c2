// args: --only doomed
// Null pointers: the decision and the access contradict one another, or they do not.
#include "../stubs.h"

struct item { int price; struct item *next; int *count; };

int wrong_way_round_bad(struct item *item)
{
    if (item == NULL)
        return item->price; //~ doomed null-deref "`item` is null"
    return 0;
}

int right_way_round_ok(struct item *item)
{
    if (item != NULL)
        return item->price;
    return 0;
}

// The log is fine; what comes behind it is not.
int logged_but_not_left_bad(struct item *item)
{
    if (!item) //~ step #a1 "taking the branch where `item` is null"
        puts("no item"); // every execution that comes here fails below
    return item->price;
    //~^ doomed null-deref #a "`item` is null here; every execution that reaches line 25 fails" cause program
}

// Nobody knows what this does; it may be the end of the program.
int unknown_end_ok(struct item *item)
{
    if (!item)
        report("no item");
    return item->price;
}

struct handlers {
    void (*fatal)(const char *text);
    int errors;
};

#define FATAL(handlers, text) ((handlers)->errors = 1, (*(handlers)->fatal)(text))

// An error handler that the user of a library sets, and that must not come back.
int error_handler_ok(struct handlers *handlers, struct item *item, int *out)
{
    if (!item || !out)
        FATAL(handlers, "missing");
    *out = item->price;
    return 0;
}

static void out_of_memory(struct handlers *handlers)
{
    handlers->errors = 2;
    handlers->fatal("out of memory");
}

int error_in_callee_ok(struct handlers *handlers)
{
    int *block = malloc(4);
    if (!block)
        out_of_memory(handlers);
    return *block;
}

static void note(struct handlers *handlers, const char *text)
{
    handlers->fatal(text);
    handlers->errors++;
}

// This one comes back: it does something behind the call.
int noted_bad(struct handlers *handlers, struct item *item)
{
    if (!item)
        note(handlers, "no item");
    return item->price; //~ doomed null-deref "`item` is null"
}

// So does the caller.
int handler_comes_back_bad(struct handlers *handlers, struct item *item)
{
    int failed = 0;
    if (!item) {
        handlers->fatal("no item");
        failed = 1;
    }
    return item->price + failed; //~ doomed null-deref "`item` is null"
}

int logged_and_left_ok(struct item *item)
{
    if (!item) {
        report("no item");
        return -1;
    }
    return item->price;
}

// `||` where `&&` was meant.
int or_for_and_bad(struct item *item)
{
    if (item || item->price > 3) //~ doomed null-deref "`item` is null"
        return 1;
    return 0;
}

int and_ok(struct item *item)
{
    if (item && item->price > 3)
        return 1;
    return 0;
}

// The member is read twice, and nothing writes in between.
int member_bad(struct item *item)
{
    if (!item->count)
        return *item->count; //~ doomed null-deref "is null"
    return 0;
}

// Somebody else may have set it in between.
int member_set_by_others_ok(struct item *item)
{
    if (!item->count) {
        use(item);
        return *item->count;
    }
    return 0;
}

// Another item may be this one.
int member_set_through_alias_ok(struct item *item, struct item *other, int *count)
{
    if (!item->count) {
        other->count = count;
        return *item->count;
    }
    return 0;
}

// Everybody comes here.
int always_bad(void)
{
    struct item *item = NULL;
    return item->price; //~ doomed null-deref "`item` is null"
}

// The pointer is null if the loop is not entered, or has gone to the end.
int end_of_list_bad(struct item *first)
{
    struct item *item;
    for (item = first; item; item = item->next)
        if (item->price == 0)
            return 0;
    return item->price; //~ doomed null-deref "`item` is null"
}

int end_of_list_ok(struct item *first)
{
    struct item *item, *last = first;
    for (item = first; item; item = item->next)
        last = item;
    return last->price;
}

// The first iteration fails, whoever enters the loop.
int first_iteration_bad(int n)
{
    struct item *item = NULL;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += item->price; //~ doomed null-deref "`item` is null"
        item = item->next;
    }
    return sum;
}

int set_in_the_loop_ok(int n)
{
    struct item *item = NULL;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (i > 0)
            sum += item->price;
        item = any_block(sizeof *item);
    }
    return sum;
}

// The branch is taken or not, the pointer is null in both.
int null_in_both_branches_bad(int k)
{
    struct item *item;
    if (k)
        item = NULL;
    else
        item = 0;
    return item->price; //~ doomed null-deref "`item` is null"
}

int null_in_one_branch_ok(int k, struct item *other)
{
    struct item *item;
    if (k)
        item = other;
    else
        item = any_block(sizeof *item);
    return item->price;
}

// malloc may fail, and may not.
int unchecked_allocation_ok(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    return 0;
}

int failed_allocation_bad(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        *p = 0; //~ doomed null-deref "`p` is null"
    free(p);
    return 0;
}

int null_to_the_library_bad(const char *name)
{
    if (!name)
        return strlen(name); //~ doomed null-deref "`name` is null"
    return 0;
}

int nothing_is_copied_ok(char *to, const char *from)
{
    if (!from)
        memcpy(to, from, 0);
    return 0;
}

typedef int (*handler)(int);

int null_handler_bad(handler handle, int event)
{
    if (!handle)
        return handle(event); //~ doomed null-deref "`handle` is null"
    return 0;
}

// Only the address is computed.
int *address_of_member_ok(struct item *item)
{
    if (!item)
        return &item->price;
    return 0;
}

int conditional_expression_bad(struct item *item)
{
    return item ? 0 : item->price; //~ doomed null-deref "`item` is null"
}

struct list { struct item **items; unsigned length; };

#define GET(list, i) ((i) < (list)->length ? (list)->items[i] : NULL)

// The third operand is doomed, but the index is never that large.
int bounds_in_macro_ok(struct list *list, unsigned i)
{
    return GET(list, i)->price;
}

#define LOG(item, text)                                                                                                \
    do {                                                                                                               \
        if (item)                                                                                                      \
            report(text);                                                                                              \
    } while (0)

// The test is the macro's.
int test_in_macro_ok(struct item *item)
{
    LOG(item, "price");
    return item->price;
}

// The key is always found.
int search_ok(int key)
{
    static const int keys[4] = {1, 2, 3, 4};
    int i;
    for (i = 0; i < 4; i++)
        if (keys[i] == key)
            break;
    return keys[i];
}

enum shape { CIRCLE, SQUARE };

// There is no third shape.
int all_cases_ok(enum shape shape, struct item *a, struct item *b)
{
    struct item *item = NULL;
    if (shape == CIRCLE)
        item = a;
    else if (shape == SQUARE)
        item = b;
    return item->price;
}
