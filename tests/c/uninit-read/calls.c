// Callees that leave their out-parameter unwritten, and callers that look at it all the same.
#include "../stubs.h"

struct result {
    int code, value;
};

static int parse(int text, int *out)
{
    if (text < 0) //~ step #a2 "taking the branch where `any() < 0`"
        return -1;
    *out = text;
    return 0;
}

static int is_positive(const int *p) { if (*p > 0) return 1; return 0; }
//~^ step #b2 "`x` is used in a condition but was never written"
static void set(int *p) { *p = 1; }
static void leave(int *p) { (void)p; }

static struct result compute(int failed)
{
    struct result result;
    result.code = failed ? -1 : 0;
    if (!failed)
        result.value = 3;
    return result;
}

int code_tested_ok(void)
{
    int x;
    if (parse(any(), &x) < 0)
        return -1;
    if (x > 0)
        return 1;
    return 0;
}

int code_ignored_bad(void)
{
    int x;
    parse(any(), &x); //~ step #a1 "calls `parse`"
    if (x > 0) //~ uninit-read #a "`x` is used in a condition but was never written" cause program when "true"
        return 1;
    return 0;
}

int always_fails_bad(void)
{
    int x;
    parse(-3, &x);
    if (x > 0) //~ uninit-read
        return 1;
    return 0;
}

int never_fails_ok(void)
{
    int x;
    parse(3, &x);
    if (x > 0)
        return 1;
    return 0;
}

int used_in_callee_bad(void)
{
    int x;
    return is_positive(&x);
    //~^ uninit-read #b "`x` is used in a condition but was never written" cause program when "true"
    //~^ step #b1 "calls `is_positive`"
}

int used_in_callee_ok(void)
{
    int x;
    set(&x);
    return is_positive(&x);
}

int left_unwritten_bad(void)
{
    int x;
    leave(&x);
    if (x) //~ uninit-read
        return 1;
    return 0;
}

int unknown_writes_ok(void)
{
    int x;
    fill(&x);
    if (x)
        return 1;
    return 0;
}

int unknown_only_looks_bad(void)
{
    int x, y = 3;
    int seen = look(&y);
    if (x > seen) //~ uninit-read
        return 1;
    return 0;
}

int returned_structure_ok(void)
{
    struct result result = compute(any());
    return result.code == 0 && result.value > 2;
}

int returned_structure_bad(void)
{
    struct result result = compute(any());
    if (result.value > 2) //~ uninit-read
        return 1;
    return 0;
}

int parameter_ok(int x) { if (x) return 1; return 0; }

int callers_memory_ok(const int *p) { if (*p) return 1; return 0; }

static void set_by(void (*how)(int *), int *p) { how(p); }

int set_by_function_ok(void)
{
    int x;
    set_by(set, &x);
    if (x)
        return 1;
    return 0;
}

int left_by_function_bad(void)
{
    int x;
    set_by(leave, &x);
    if (x) //~ uninit-read
        return 1;
    return 0;
}

void prints_unwritten_bad(void)
{
    char text[8];
    puts(text); //~ uninit-read
}

size_t measures_unwritten_bad(void)
{
    char *text = malloc(8);
    if (!text)
        return 0;
    size_t length = strlen(text); //~ uninit-read
    free(text);
    return length;
}

size_t measures_written_ok(void)
{
    char text[8];
    text[0] = 0;
    return strlen(text);
}
