// Aliases of functions and variables, weak definitions, weak undefined symbols and weak references tested for null.
#include <stdio.h>

int real_counter = 10;
extern int other_counter __attribute__((alias("real_counter")));

int real_function(int v) { return v * 3; }
int renamed_function(int v) __attribute__((alias("real_function")));
int weak_alias(int v) __attribute__((weak, alias("real_function")));

static int hidden(int v) { return v + 1000; }
int exported(int v) __attribute__((alias("hidden")));

__attribute__((weak)) int weak_function(int v) { return v - 1; }
__attribute__((weak)) int weak_variable = 55;
extern int never_defined(int) __attribute__((weak));
extern int never_defined_variable __attribute__((weak));

static const int table_storage[4] = { 1, 2, 4, 8 };
extern const int table_alias[4] __attribute__((alias("table_storage")));

static int (*const through_alias[])(int) = { renamed_function, weak_alias, exported, weak_function };

static int call_if_there(int (*f)(int), int v) { return f ? f(v) : -1; }

int main(void)
{
    other_counter += 5;
    printf("counter %d %d same %d\n", real_counter, other_counter, &real_counter == &other_counter);
    real_counter *= 2;
    printf("counter %d\n", other_counter);
    for (int i = 0; i < 4; i++)
        printf("call %d: %d\n", i, through_alias[i](i + 7));
    printf("direct %d %d %d\n", renamed_function(2), weak_alias(3), exported(4));
    printf("hidden %d\n", hidden(5) == exported(5));
    int (*a)(int) = real_function, (*b)(int) = renamed_function;
    printf("function addresses equal %d\n", a == b);
    printf("weak %d %d\n", weak_function(10), weak_variable++);
    printf("weak variable now %d\n", weak_variable);
    printf("absent %d, variable %d\n", call_if_there(never_defined, 1), &never_defined_variable == NULL);
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum = sum * 2 + table_alias[i];
    printf("table %d\n", sum);
    return sum;
}
