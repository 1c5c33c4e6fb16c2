// args: --only doomed
// What ends otherwise on purpose, and assertions and loops that do not.
#include "../stubs.h"

struct node {
    struct node *next;
};

void exit_ok(int k)
{
    if (k)
        exit(1);
}

void abort_ok(int *p)
{
    if (!p) {
        report("no p");
        abort();
    }
    *p = 1;
}

void attribute_ok(int *p)
{
    if (!p)
        die("no p");
    *p = 1;
}

static void give_up(const char *why)
{
    report(why);
    exit(2);
}

// Nothing but the body says that it does not come back.
void body_never_returns_ok(int *p)
{
    if (!p)
        give_up("no p");
    *p = 1;
}

void trap_ok(int k)
{
    if (k)
        __builtin_trap();
}

int unreachable_ok(int k)
{
    switch (k & 1) {
    case 0:
        return 1;
    case 1:
        return 2;
    }
    __builtin_unreachable();
}

int default_abort_ok(int k)
{
    switch (k) {
    case 0:
        return 1;
    default:
        abort();
    }
}

int assert_false_ok(int k)
{
    if (k > 3)
        return 1;
    assert(0);
    return 0;
}

int assert_message_ok(int k)
{
    switch (k) {
    case 0:
        return 1;
    default:
        assert(!"cannot happen");
        return 0;
    }
}

int last_resort_with_a_message_ok(unsigned k)
{
    static const char *const names[] = {"zero", "one", "two"};
    switch (k) {
    case 0:
    case 1:
    case 2:
        return 1;
    default:
        report(names[k]);
        assert(!*"cannot happen");
        return 0;
    }
}

#define BUG(text)                                                                                                      \
    do {                                                                                                               \
        report("internal error");                                                                                      \
        report(text);                                                                                                  \
        assert(!*"internal error");                                                                                    \
    } while (0)

static const char *name_of(unsigned k)
{
    static const char *const names[] = {"zero", "one", "two"};
    return names[k]; //~ step #a3 "the access is outside of `names`"
}

int last_resort_in_a_macro_ok(unsigned k)
{
    switch (k) {
    case 0:
    case 1:
    case 2:
        return 1;
    default:
        BUG(name_of(k));
        return 0;
    }
}

int last_else_ok(unsigned k)
{
    if (k == 0)
        return 1;
    else if (k == 1)
        return 2;
    else if (k == 2)
        return 3;
    else {
        report(name_of(k > 2 ? 7 : k));
        abort();
    }
}

// Whoever wrote this says that it is not come to.
int said_to_be_unreachable_ok(const struct node *p, int k)
{
    if (!p && k > 3) {
        report(p->next ? "next" : "none");
        assert(0);
        return 0;
    }
    return k;
}

// The same without such a word: it fails before it can say why it ends.
int ends_after_the_message_bad(const struct node *p)
{
    if (!p) {
        report(p->next ? "next" : "none"); //~ doomed null-deref "`p` is null"
        exit(1);
    }
    return 0;
}

int default_goes_on_bad(unsigned k)
{
    switch (k) { //~ step #a1 "taking the branch where `k != 0`, `k != 1`, and `k != 2`"
    case 0:
    case 1:
    case 2:
        return 1;
    default:
        report(name_of(k));
        //~^ doomed out-of-bounds #a "the access is outside of `names`; no execution gets past this line" cause program
        //~^ step #a2 "calls `name_of`"
        return 0;
    }
}

int default_before_a_check_bad(int k, int *p)
{
    switch (k) {
    case 0:
        break;
    default:
        p = NULL;
        report("other");
        *p = k; //~ doomed null-deref
    }
    assert(k < 9);
    return *p;
}

int assertion_bad(int k)
{
    if (k > 3) {
        assert(k < 2); //~ doomed assert-failure "assertion fails"
        return 1;
    }
    return 0;
}

// The opposite of what was just found out: it is not meant to be true.
int assertion_says_the_opposite_ok(const unsigned *size, unsigned k)
{
    if (k == 0) {
        return 1;
    } else if (k >= *size) {
        assert(k < *size);
        report("too large");
    }
    return 0;
}

int is_strict;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            report(#condition);                                                                                        \
            if (is_strict)                                                                                             \
                assert(condition);                                                                                     \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

// The assertion only repeats what the macro has found out.
int assertion_in_check_ok(int k)
{
    CHECK(k < 2);
    return 0;
}

// What is read for the message does not matter any more.
const char *last_resort_ok(int state)
{
    static const char *const names[2] = {"on", "off"};
    switch (state) {
    case 0:
    case 1:
        return "known";
    default:
        report(names[state]);
        assert(!*"cannot happen");
        return 0;
    }
}

// It was decided before, and the macro finds it out again.
int decided_before_ok(int k)
{
    if (k >= 2)
        report("large");
    CHECK(k < 2);
    return 0;
}

int assertion_ok(int k)
{
    assert(k < 2);
    return k;
}

int assertion_about_allocation_ok(void)
{
    int *p = malloc(4);
    assert(p);
    *p = 1;
    free(p);
    return 0;
}

void server_ok(void)
{
    for (;;)
        use(any_pointer());
}

void spin_for_ever_ok(void)
{
    while (1)
        ;
}

extern volatile int flag;

void wait_for_volatile_ok(void)
{
    while (!flag)
        ;
}

static int stopped;

void wait_for_others_ok(void)
{
    while (!stopped)
        ;
}

// The iterator is not iterated.
int never_iterated_bad(const int *values, int n)
{
    int i = 0, sum = 0;
    while (i < n) {
        sum += values[i]; //~ doomed endless "never ends: nothing in it changes `i` or `n`"
    }
    return sum;
}

int iterated_ok(const int *values, int n)
{
    int i = 0, sum = 0;
    while (i < n) {
        sum += values[i];
        i++;
    }
    return sum;
}

// The wrong variable is iterated.
int wrong_variable_bad(const int *values, int n)
{
    int sum = 0;
    for (int i = 0, j = 0; i < n; j++)
        sum += j; //~ doomed endless "never ends: nothing in it changes `i` or `n`"
    return sum;
}

int left_by_break_ok(const int *values, int n)
{
    int sum = 0;
    while (n > 0) {
        sum += values[sum];
        if (sum > 100)
            break;
    }
    return sum;
}

void main_loop_ok(int *state)
{
    int n = 1;
    while (n > 0)
        fill(state);
}

static int level;

static void complain_deep(int k)
{
    if (k > level)
        exit(3);
}

static void complain_deeper(int k) { complain_deep(k); }
static void complain(int k) { complain_deeper(k); }

// Three calls deep is too deep to look into, but known: it may be the end of the program.
void may_exit_deep_ok(int k)
{
    if (k) {
        int *p = 0;
        complain(k);
        *p = 1;
    }
}

static void count_deep(int k)
{
    if (k > level)
        level++;
}

static void count_deeper(int k) { count_deep(k); }
static void count(int k) { count_deeper(k); }

void comes_back_from_deep_bad(int k)
{
    if (k) {
        int *p = 0;
        count(k);
        *p = 1; //~ doomed null-deref
    }
}

// What follows a failed check of the programmer's own is as intended as the check.
void unexpected_kind_ok(int kind, int *out)
{
    if (kind > 3) {
        *out = 0;
        if (kind > 7)
            *out = 1;
        report("kind");
        assert(0);
    }
    *out = kind;
}
