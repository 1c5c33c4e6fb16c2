// Branches, correlated conditions and short circuits: which path brings the null pointer to the access.
#include "../stubs.h"

int plain_bad(void)
{
    int *p = NULL;
    return *p; //~ null-deref "`p`"
}

int null_whatever_the_flag_bad(int flag)
{
    int *p;
    if (flag > 0) {
        p = NULL;
    } else {
        report("nothing chosen");
        p = NULL;
    }
    return *p; //~ null-deref
}

int two_choices_bad(void)
{
    int box = 3;
    int *p = NULL;
    if (any()) //~ step #a1 "taking the branch where `any() == 0`"
        p = &box;
    if (any()) //~ step #a2 "taking the branch where `any() != 0`"
        return *p; //~ null-deref #a "`p` is null and is dereferenced" cause program when "true"
    return 0;
}

int same_choice_ok(void)
{
    int box = 3;
    int *p = NULL;
    int chosen = any();
    if (chosen)
        p = &box;
    if (chosen)
        return *p;
    return 0;
}

int correlated_parameter_ok(int wanted)
{
    int box = 3;
    int *p = NULL;
    if (wanted > 5)
        p = &box;
    if (wanted > 7)
        return *p;
    return 0;
}

int correlated_through_arithmetic_ok(int wanted)
{
    int box = 3;
    int *p = (wanted & 1) ? &box : NULL;
    if (wanted % 2 != 0)
        return *p;
    return 0;
}

int flag_variable_ok(int wanted)
{
    int box = 3, valid = 0;
    int *p = NULL;
    if (wanted) {
        p = &box;
        valid = 1;
    }
    return valid ? *p : 0;
}

int flag_forgotten_bad(void)
{
    int box = 3, valid = 0;
    int *p = NULL;
    if (any() > 0) {
        valid = 1;
        if (any() > 0)
            p = &box;
    }
    if (valid)
        return *p; //~ null-deref
    return 0;
}

int and_guards_ok(int *p) { return p && *p > 0; }

int or_guards_ok(int *p) { return !p || *p > 0; }

int conditional_guards_ok(int *p) { return p ? *p : -1; }

int comma_before_guard_bad(void)
{
    int *p = NULL;
    return any() && (report("late"), *p > 0); //~ null-deref
}

int inverted_check_bad(void)
{
    int *p = malloc(sizeof *p); //~ step #b1 "`malloc` returns null"
    if (p == NULL)
        *p = 1; //~ null-deref #b "`p` is null and is dereferenced" cause environment when "true"
    free(p);
    return 0;
}

int and_instead_of_or_bad(void)
{
    int *p = calloc(2, sizeof *p);
    if (p == NULL && p[1] == 0) //~ null-deref
        return -1;
    free(p);
    return 0;
}

int impossible_branch_ok(unsigned n)
{
    int *p = NULL;
    if (n > 10 && n < 5)
        return *p;
    return 0;
}

int impossible_by_wrapping_ok(unsigned n)
{
    int *p = NULL;
    unsigned twice = n * 2;
    if (twice % 2 == 1)
        return *p;
    return 0;
}

int possible_by_wrapping_bad(void)
{
    int *p = NULL;
    unsigned n = any_unsigned();
    if (n + 1 < n)
        return *p; //~ null-deref
    return 0;
}

int impossible_without_overflow_ok(int n)
{
    int *p = NULL;
    if (n + 1 < n)
        return *p;
    return 0;
}

int switch_default_ok(int kind)
{
    int a = 1, b = 2;
    int *p = NULL;
    switch (kind) {
    case 0: p = &a; break;
    case 1: p = &b; break;
    default: return -1;
    }
    return *p;
}

int switch_fall_through_bad(void)
{
    int a = 1;
    int *p = NULL;
    switch (any()) { //~ step #c1 "taking the branch where `any() == 5`"
    case 4:
        p = &a;
        /* fall through */
    case 5:
        return *p; //~ null-deref #c "`p` is null and is dereferenced" cause program when "true"
    default:
        return 0;
    }
}

int goto_past_assignment_bad(void)
{
    int a = 1;
    int *p = NULL;
    if (any())
        goto done;
    p = &a;
done:
    return *p; //~ null-deref
}

int goto_cleanup_ok(void)
{
    int result = -1;
    int *p = malloc(sizeof *p);
    if (!p)
        goto done;
    *p = 4;
    result = *p;
done:
    free(p);
    return result;
}

int ends_before_ok(void)
{
    int *p = NULL;
    if (any())
        exit(1);
    else
        abort();
    return *p;
}

int noreturn_check_ok(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        die("no memory");
    *p = 1;
    int result = *p;
    free(p);
    return result;
}

int returning_check_bad(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        report("no memory");
    *p = 1; //~ null-deref
    int result = *p;
    free(p);
    return result;
}

size_t size_is_not_read_ok(void)
{
    int *p = NULL;
    return sizeof *p;
}
