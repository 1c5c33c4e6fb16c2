// _Generic selection by type, __builtin_choose_expr, statement expressions and typeof: choices made at compile time.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define type_name(x)                    \
    _Generic((x),                       \
        _Bool: "bool",                  \
        char: "char",                   \
        unsigned char: "unsigned char", \
        short: "short",                 \
        int: "int",                     \
        unsigned: "unsigned",           \
        long: "long",                   \
        unsigned long: "unsigned long", \
        float: "float",                 \
        double: "double",               \
        char *: "char pointer",         \
        const char *: "const char pointer", \
        void *: "void pointer",         \
        default: "other")

#define absolute(x) _Generic((x), int: abs, long: labs, double: fabs)(x)

#define maximum(a, b)                \
    ({                               \
        __typeof__(a) first_ = (a);  \
        __typeof__(b) second_ = (b); \
        first_ > second_ ? first_ : second_; \
    })

#define swap(a, b)                \
    do {                          \
        __typeof__(a) t_ = (a);   \
        (a) = (b);                \
        (b) = t_;                 \
    } while (0)

#define array_length(a) (sizeof(a) / sizeof *(a))
#define is_constant_zero(x) __builtin_choose_expr(sizeof(x) == 1, 1, 2)

static void print_int(int v) { printf("int %d\n", v); }
static void print_double(double v) { printf("double %g\n", v); }
static void print_text(const char *v) { printf("text %s\n", v); }
#define print(x) _Generic((x), int: print_int, double: print_double, char *: print_text, const char *: print_text)(x)

int main(void)
{
    char c = 'c';
    unsigned char uc = 1;
    short s = 2;
    const char *text = "constant";
    printf("%s, %s, %s, %s\n", type_name(c), type_name(uc), type_name(s), type_name(c + uc));
    printf("%s, %s, %s, %s\n", type_name(1u), type_name(1L), type_name(1.0f * 2), type_name(1.0f * 2.0));
    printf("%s, %s, %s, %s\n", type_name("literal"), type_name(text), type_name((void *)0), type_name(&s));
    printf("%s, %s, %s\n", type_name(sizeof c), type_name('a'), type_name((_Bool)1));
    printf("absolute %d %ld %g\n", absolute(-5), absolute(-5000000000L), absolute(-2.5));
    int i = 3, evaluated = 0;
    printf("maximum %d %g\n", maximum(i, 7), maximum(2.5, 1.0));
    printf("once %d %d\n", maximum((evaluated++, 4), 2), evaluated < 3);
    double x = 1.5, y = -1.5;
    swap(x, y);
    printf("swapped %g %g\n", x, y);
    print(42);
    print(4.25);
    print(text);
    int list[] = { 1, 2, 3, 4, 5 };
    printf("length %zu, chosen %d %d\n", array_length(list), is_constant_zero(c), is_constant_zero(i));
    int folded = ({ int sum = 0; for (unsigned k = 0; k < array_length(list); k++) sum = sum * 2 + list[k]; sum; });
    printf("folded %d\n", folded);
    return folded;
}
