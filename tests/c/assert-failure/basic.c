// Assertions that fail, and those that do not.
#include "../stubs.h"

void certain_bad(void)
{
    int x = 2;
    assert(x == 3); //~ assert-failure
}

void certain_ok(void)
{
    int x = 3;
    assert(x == 3);
}

void unreachable_bad(void)
{
    int kind = 3;
    switch (kind & 1) {
    case 0: break;
    default: assert(!"odd"); //~ assert-failure
    }
}

void unreachable_ok(void)
{
    switch (any_unsigned() % 2) {
    case 0: break;
    case 1: break;
    default: assert(0);
    }
}

void own_check_of_allocation_ok(void)
{
    int *p = malloc(sizeof *p);
    assert(p);
    *p = 1;
    free(p);
}

void own_check_of_unknown_ok(void)
{
    int n = any();
    assert(n > 0);
    report("positive");
}

void own_check_of_unknown_pointer_ok(void)
{
    int *p = any_pointer();
    assert(p != NULL);
    *p = 1;
}

void implied_ok(unsigned n)
{
    unsigned even = n * 2;
    assert(even % 2 == 0);
}

void wrapping_bad(void)
{
    unsigned big = 0xfffffff0;
    unsigned sum = big + 0x20;
    assert(sum > big); //~ assert-failure
}

void correlated_ok(int n)
{
    int sign = n < 0 ? -1 : 1;
    if (n < -5)
        assert(sign == -1);
}

void state_changed_bad(void)
{
    int count = 3;
    int *p = &count;
    *p -= 1;
    assert(count == 3); //~ assert-failure
}

void state_kept_ok(void)
{
    int count = 3, other = 4;
    int *p = &other;
    *p -= 1;
    assert(count == 3);
}

void loop_ok(void)
{
    int i, sum = 0;
    for (i = 0; i < 3; i++)
        sum += i;
    assert(sum == 3 && i == 3);
}

void loop_bad(void)
{
    int i, sum = 0;
    for (i = 0; i < 3; i++)
        sum += i;
    assert(sum == 6); //~ assert-failure
}

void bytes_ok(void)
{
    unsigned number = 0x01020304;
    unsigned char bytes[4];
    memcpy(bytes, &number, 4);
    assert(bytes[0] == 4 && bytes[3] == 1);
}

void bytes_bad(void)
{
    unsigned number = 0x01020304;
    unsigned char bytes[4];
    memcpy(bytes, &number, 4);
    assert(bytes[0] == 1); //~ assert-failure
}

struct flags {
    unsigned low : 3, high : 5;
};

void bit_fields_ok(void)
{
    struct flags flags = {0, 0};
    flags.low = 9;
    assert(flags.low == 1 && flags.high == 0);
}

void bit_fields_bad(void)
{
    struct flags flags = {0, 0};
    flags.low = 8;
    assert(flags.low == 8); //~ assert-failure
}

void sign_extension_bad(void)
{
    signed char byte = (signed char)200;
    int wide = byte;
    assert(wide == 200); //~ assert-failure
}

void sign_extension_ok(void)
{
    unsigned char byte = 200;
    int wide = byte;
    assert(wide == 200);
}

void distinct_blocks_ok(void)
{
    void *p = malloc(8), *q = malloc(8);
    if (p && q)
        assert(p != q);
    free(p);
    free(q);
}

void addresses_not_null_ok(void)
{
    int local;
    static int global;
    int *p = &local, *q = &global;
    assert(p && q && p != q);
}

void strings_ok(void)
{
    assert(strlen("abc") == 3 && strcmp("abc", "abc") == 0);
}

void after_exit_ok(void)
{
    int n = any();
    if (n > 3)
        exit(0);
    if (n < 4)
        exit(1);
    assert(0);
}
