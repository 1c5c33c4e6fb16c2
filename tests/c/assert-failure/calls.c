// Assertions as preconditions of callees, and about what callees did.
#include "../stubs.h"

struct stack {
    int items[4];
    unsigned count;
};

static void init(struct stack *stack) { stack->count = 0; }

static void push(struct stack *stack, int item)
{
    assert(stack->count < 4);
    stack->items[stack->count++] = item;
}

static int pop(struct stack *stack)
{
    assert(stack->count > 0); //~ step #a2 "taking the branch where `stack->count == 0`"
    //~^ step #a3 "an assertion fails"
    return stack->items[--stack->count];
}

static void set(int *p, int value) { *p = value; }
static int clamp(int n, int low, int high) { return n < low ? low : n > high ? high : n; }
static void swap(int *a, int *b) { int old = *a; *a = *b; *b = old; }
static void swap_by_sum(unsigned *a, unsigned *b) { *a += *b; *b = *a - *b; *a -= *b; }

int pop_of_empty_bad(void)
{
    struct stack stack;
    init(&stack);
    return pop(&stack); //~ assert-failure #a "in `pop`: an assertion fails" cause program when "true"
    //~^ step #a1 "this call makes `pop` fail"
}

int pop_of_pushed_ok(void)
{
    struct stack stack;
    init(&stack);
    push(&stack, 3);
    return pop(&stack);
}

int popped_value_ok(void)
{
    struct stack stack;
    init(&stack);
    push(&stack, 3);
    push(&stack, 4);
    int item = pop(&stack);
    assert(item == 4);
    return pop(&stack);
}

int popped_too_often_bad(void)
{
    struct stack stack;
    init(&stack);
    push(&stack, 3);
    pop(&stack);
    return pop(&stack); //~ assert-failure
}

void set_by_callee_bad(void)
{
    int x = 3;
    set(&x, 4);
    assert(x == 3); //~ assert-failure
}

void set_by_callee_ok(void)
{
    int x = 3;
    set(&x, 4);
    assert(x == 4);
}

void clamped_ok(int n)
{
    int clamped = clamp(n, 0, 10);
    assert(clamped >= 0 && clamped <= 10);
}

void clamped_wrong_way_bad(void)
{
    int clamped = clamp(5, 10, 0);
    assert(clamped <= 0); //~ assert-failure
}

void swapped_ok(void)
{
    int x = 1, y = 2;
    swap(&x, &y);
    assert(x == 2 && y == 1);
}

void swapped_with_itself_ok(void)
{
    int x = 1;
    swap(&x, &x);
    assert(x == 1);
}

void swapped_by_sum_ok(void)
{
    unsigned x = 1, y = 2;
    swap_by_sum(&x, &y);
    assert(x == 2 && y == 1);
}

void swapped_with_itself_by_sum_bad(void)
{
    unsigned x = 1;
    swap_by_sum(&x, &x);
    assert(x == 1); //~ assert-failure
}

static unsigned count_bits(unsigned n) { return n == 0 ? 0 : (n & 1) + count_bits(n >> 1); }

void recursion_ok(void) { assert(count_bits(1) == 1); }

void unknown_may_change_ok(void)
{
    int x = 3;
    fill(&x);
    assert(x == 3);
}
