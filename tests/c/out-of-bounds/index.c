// Indices that the path knows something about.
#include "../stubs.h"

static const int table[4] = {1, 2, 3, 4};

int unknown_index_ok(void) { return table[any()]; }

int checked_index_ok(void)
{
    int i = any();
    if (i < 0 || i > 3)
        return -1;
    return table[i];
}

int unsigned_index_ok(void)
{
    unsigned i = any_unsigned();
    return i < 4 ? table[i] : -1;
}

int check_inverted_bad(void)
{
    unsigned i = any_unsigned();
    if (i >= 4) //~ step #a1 "taking the branch where `any_unsigned() >= 4u`"
        return table[i];
        //~^ out-of-bounds #a "offset `4 * (uint64_t)any_unsigned()` of global `table`" cause unknown
    return 0;
}

int check_only_logs_bad(void)
{
    unsigned i = any_unsigned();
    if (i > 3)
        report("too large");
    return table[i]; //~ out-of-bounds
}

int off_by_one_bad(void)
{
    unsigned i = any_unsigned();
    if (i > 4) //~ step #b1 "taking the branch where `any_unsigned() < 5u`"
        return -1;
    if (i > 3) //~ step #b2 "taking the branch where `any_unsigned() >= 4u`"
        return table[i];
        //~^ out-of-bounds #b "at offset 16 of global `table`, which has 16 bytes" cause program when "true"
    return 0;
}

int negative_checked_ok(void)
{
    int i = any();
    if (i < 0)
        i = 0;
    if (i > 3)
        i = 3;
    return table[i];
}

int negative_kept_bad(void)
{
    int i = any();
    if (i < 0)
        report("negative");
    return i > 3 ? 0 : table[i]; //~ out-of-bounds
}

int masked_ok(unsigned i) { return table[i & 3]; }

int remainder_ok(unsigned i) { return table[i % 4]; }

int masked_too_wide_bad(void)
{
    unsigned i = any_unsigned() | 4;
    return table[i & 7]; //~ out-of-bounds
}

int shifted_ok(unsigned char i) { return table[i >> 6]; }

int narrowed_ok(unsigned i) { return i < 256 + 4 && i >= 256 ? table[(unsigned char)i] : 0; }

int wrapping_difference_bad(void)
{
    unsigned count = any_unsigned();
    if (count != 0)
        return 0;
    return table[count - 1]; //~ out-of-bounds
}

int wrapping_difference_ok(void)
{
    unsigned count = any_unsigned();
    if (count - 1 < 4)
        return table[count - 1];
    return 0;
}

int constant_size_bad(void)
{
    int size = 8;
    int *p = calloc((size_t)size, 1);
    if (!p)
        return -1;
    int value = p[size / 4]; //~ out-of-bounds
    free(p);
    return value;
}

int size_and_index_ok(unsigned count)
{
    if (count == 0 || count > 100)
        return -1;
    int *p = calloc(count, sizeof *p);
    if (!p)
        return -1;
    int value = p[count - 1];
    free(p);
    return value;
}

int size_and_index_bad(unsigned count)
{
    count = (count & 63) + 1;
    int *p = calloc(count, sizeof *p);
    if (!p)
        return -1;
    int value = p[count]; //~ out-of-bounds
    free(p);
    return value;
}

int strlen_without_terminator_bad(void)
{
    const char *text = "four";
    size_t length = strlen(text);
    char *copy = malloc(length);
    if (!copy)
        return -1;
    copy[length] = '\0'; //~ out-of-bounds
    free(copy);
    return 0;
}

int strlen_with_terminator_ok(void)
{
    const char *text = "four";
    size_t length = strlen(text);
    char *copy = malloc(length + 1);
    if (!copy)
        return -1;
    copy[length] = '\0';
    free(copy);
    return 0;
}

enum color { RED, GREEN, BLUE, COLORS };
static const char *const names[COLORS] = {"red", "green", "blue"};

const char *color_ok(enum color color) { return color < COLORS ? names[color] : "none"; }

const char *color_bad(void)
{
    enum color color = COLORS;
    return names[color]; //~ out-of-bounds
}

// Only 7 fits, but that takes a look at the bits.
int only_outside_fits_bad(void)
{
    int table[4] = {1, 2, 3, 4};
    unsigned i = any_unsigned();
    if (i < 100 && i * i == 49)
        return table[i]; //~ out-of-bounds
    return 0;
}

// A copied string has a byte for its end.
void end_of_copy_ok(void)
{
    char *copy = strdup("four");
    if (copy)
        copy[4] = '\0';
    free(copy);
}

void behind_copy_bad(void)
{
    char *copy = strdup("four");
    if (copy)
        copy[5] = '\0'; //~ out-of-bounds
    free(copy);
}
