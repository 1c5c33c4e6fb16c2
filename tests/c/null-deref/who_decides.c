// Who decides about a value: the environment (the error is possible whatever the caller does), the caller (it is latent), or the program itself.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { const char *name; };
struct holder { int *value; int count; };
struct iterator { int (*next)(int **out); };
int fill(int **out);
int fill_global(void);
extern void *(*allocate)(size_t size);
int *global;

unsigned after_dot_ok(const struct entry *entry)
{
    const char *dot = strchr(entry->name, '.');
    return (unsigned char)dot[1];
}

unsigned after_dot_of_input_bad(void)
{
    char line[80];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    const char *dot = strchr(line, '.'); //~ step #a1 "`strchr` returns null"
    return (unsigned char)dot[1]; //~ null-deref #a "`dot` is null and is dereferenced" cause environment
}

/* No null-deref, because the caller decides; but whoever passes the assignment fails. */
int empty_path_bad(const char *path)
{
    int x = 0, *p = &x;
    if (strlen(path) == 0)
        p = 0;
    return *p; //~ doomed null-deref
}

int next(int **out, struct iterator *it)
{
    int error = it->next(out);
    if (error < 0)
        return error;
    return **out;
}

int filled_by_callee_ok(struct iterator *it)
{
    int *p;
    return next(&p, it);
}

int filled_by_callee_null_before_ok(struct iterator *it)
{
    int *p = 0;
    return next(&p, it);
}

int first_value(struct holder *holder)
{
    int error = fill(&holder->value);
    if (error < 0)
        return error;
    return *holder->value;
}

int filled_member_ok(void)
{
    struct holder holder;
    return first_value(&holder);
}

int use_global(void)
{
    fill_global();
    return *global;
}

int filled_global_ok(void)
{
    global = 0;
    return use_global();
}

int filled_two_calls_below_ok(void)
{
    global = 0;
    use_global();
    return *global;
}

char *copy_of_ok(const char *text)
{
    size_t length = strlen(text);
    char *copy = allocate(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

const unsigned char classes[257] = {[' ' + 1] = 1};

static int second(const char *text)
{
    if (classes[(unsigned char)*text + 1] & 1)
        return text[1];
    return 0;
}

int class_of_first_ok(void)
{
    char text[2];
    text[0] = 0;
    return second(text);
}

int needed_ok(int number)
{
    return snprintf(NULL, 0, "%d", number);
}

static char *first(const char *text)
{
    char *copy = malloc(strlen(text));
    if (copy)
        copy[0] = text[0];
    return copy;
}

char *one_call_up_ok(const char *text)
{
    return first(text);
}
