// args: --only doomed
// Idioms of real libraries that look doomed, and errors that look like them.
#include "../stubs.h"

static const unsigned char kinds[6] = {1, 2, 0, 1, 3, 1};

// The default of a generated parser does nothing, and the table is read behind it: rules are numbered from 0.
int rule_without_action_ok(unsigned rule, int *action)
{
    switch (rule) {
    case 0:
        *action = 3;
        break;
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
        break;
    default:
        break;
    }
    return kinds[rule];
}

// The same with a statement.
int rule_with_action_bad(unsigned rule, int *action)
{
    switch (rule) {
    case 0:
        *action = 3;
        break;
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
        break;
    default:
        *action = 4;
        break;
    }
    return kinds[rule]; //~ doomed out-of-bounds "outside of `kinds`"
}

// What lies before `at` is looked at from there backwards.
int count_back_ok(const char *at, const char *match, int most)
{
    int back = 0;
    while (back > most && at[back - 1] == match[back - 1])
        back--;
    return back;
}

// The array is gone through from its start, and then read before it.
int read_before_start_bad(const int *values, int n)
{
    int sum = 0, i;
    for (i = 0; i < n; i++)
        sum += values[i];
    for (i = n - 1; i >= 0; i--)
        if (values[i] > sum)
            return i;
    return values[i]; //~ doomed out-of-bounds "negative"
}

// Filters read what lies before the block that they are given.
int filter_ok(const int *x, int *y, int n, int period)
{
    int sum = x[-period];
    if (period < 1)
        return 0;
    for (int i = 0; i < n; i++) {
        y[i] = x[i] - x[i - 1] + x[-5 + i];
        sum += x[-i];
    }
    return sum;
}

// Four values lie before the block.
int warm_up_ok(const int *x, int n)
{
    int sum = 0;
    for (int i = -4; i < 0; i++)
        sum += x[i];
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

// Something in the block is not zero.
int first_nonzero_ok(const int *x, const int *n)
{
    int i = 0;
    while (i < *n && x[i] == 0)
        i++;
    assert(i < *n);
    return x[i];
}

// An operand of `||` inside of an assertion: the last one fails if the first two do, but all of them are one condition.
int sorted_assertion_ok(const int *from, const int *to, int k)
{
    assert(from == NULL || to == NULL || *from <= *to || k > 0);
    return k;
}

int operands_bad(const int *from, int k)
{
    if (k > 3 && from == NULL)
        return *from; //~ doomed null-deref "`from` is null"
    return k;
}

#define REQUIRE(condition, error)                                                                                      \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return error;                                                                                              \
    } while (0)

struct stream {
    char *next;
    int left;
};

// A macro that leaves the function.
int required_ok(struct stream *stream)
{
    REQUIRE(stream && stream->next, -1);
    stream->left--;
    return *stream->next;
}

int required_of_another_bad(struct stream *stream, struct stream *other)
{
    if (!stream) {
        REQUIRE(other, -1);
        stream->left = other->left; //~ doomed null-deref "`stream` is null"
    }
    return 0;
}

// A length that is read again after unknown code had the stream is another one.
int length_changes_ok(struct stream *stream)
{
    if (stream->left != 0)
        return 0;
    report(stream->next);
    return 100 / stream->left;
}

int length_does_not_change_bad(struct stream *stream)
{
    if (stream->left != 0)
        return 0;
    return 100 / stream->left; //~ doomed div-by-zero "zero"
}

struct level {
    struct level *above;
    int depth;
};

// That the level is found is what the assertion says; the loop only looks twice.
int asserted_search_ok(struct level *level, const struct level *wanted)
{
    int n = 0;
    assert(level && wanted);
    while (level && level != wanted) {
        level = level->above;
        n++;
    }
    assert(level && level == wanted);
    return n;
}

struct scanner {
    struct stream **stack;
    int top;
};

#define CURRENT(scanner) ((scanner)->stack ? (scanner)->stack[(scanner)->top] : NULL)

void ensure_stack(struct scanner *scanner);

// The stack is there; the macro of a generated scanner tests it again and again.
void push_stream_ok(struct scanner *scanner, struct stream *stream)
{
    ensure_stack(scanner);
    if (CURRENT(scanner))
        scanner->top++;
    scanner->stack[scanner->top] = stream;
}

// The arguments are checked, and the way out writes through one of them.
int written_on_the_way_out_bad(const struct stream *stream, int *out)
{
    int result = 0;
    if (!stream) {
        result = -1;
        goto done;
    }
    if (!out) {
        result = -1;
        goto done;
    }
    *out = stream->left;
done:
    if (result < 0)
        *out = 0; //~ doomed null-deref "`out` is null"
    return result;
}

// The loop ends with a block that nobody frees twice.
void free_chain_ok(void **chain)
{
    while (chain) {
        void **next = *chain;
        free(chain);
        chain = next;
    }
}

void free_chain_bad(void **chain)
{
    if (chain) {
        free(chain);
        chain = *chain; //~ doomed use-after-free "freed"
        use(chain);
    }
}
