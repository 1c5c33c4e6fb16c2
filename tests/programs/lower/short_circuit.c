// Short circuits, comma and conditional operators: order of side effects, nesting, and values of logical expressions.
#include <stdio.h>

static char trail[200];
static int used;

static int mark(char c, int value)
{
    trail[used++] = c;
    return value;
}

static void flush_trail(const char *what, int value)
{
    trail[used] = 0;
    printf("%-8s %d %s\n", what, value, trail);
    used = 0;
}

static int safe_divide(int a, int b) { return b != 0 && a / b > 2 ? a / b : -1; }

static int classify(const int *p) { return !p ? 0 : *p < 0 ? 1 : *p == 0 ? 2 : *p > 100 ? 4 : 3; }

int main(void)
{
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            flush_trail("and", mark('a', a) && mark('b', b));
            flush_trail("or", mark('a', a) || mark('b', b));
            flush_trail("mix", (mark('a', a) && mark('b', b)) || mark('c', 1));
            flush_trail("not", !(mark('a', a) || !mark('b', b)) && mark('c', 5));
            flush_trail("cond", mark('a', a) ? mark('b', b) : mark('c', 7));
            flush_trail("nest", mark('a', a) ? mark('b', b) ? 1 : mark('d', 2) : (mark('e', 0) || mark('f', b)));
            flush_trail("elvis", mark('a', a * 9) ?: mark('z', b + 20));
        }
    flush_trail("comma", (mark('x', 1), mark('y', 2), mark('z', 3)));
    int i = 0, j = 10;
    for (; i < j && (mark('l', 0), i + j != 8); i++, j -= 2)
        ;
    flush_trail("loop", i * 100 + j);
    printf("divide %d %d %d\n", safe_divide(10, 0), safe_divide(10, 3), safe_divide(10, 5));
    int values[] = { -5, 0, 50, 500 };
    printf("classify %d", classify(NULL));
    for (int k = 0; k < 4; k++)
        printf(" %d", classify(&values[k]));
    int x = 3, y = (x++, x * 2), z = (x > 3 && y > 7);
    z += (x == 4 || y++) * 10;
    printf("\n%d %d %d\n", x, y, z);
    unsigned bits = 0;
    for (int k = 0; k < 16; k++)
        bits |= (unsigned)((k & 1 && k & 4) || (!(k & 2) && k & 8)) << k;
    printf("truth %04x\n", bits);
    double d = 0.0;
    const char *text = trail;
    printf("scalars %d %d %d\n", !d, d || text, !(text && d + 0.5));
    (z > 5 ? &x : &y)[0] = 42;
    printf("lvalue %d %d\n", x, y);
    return (int)(bits & 0x7f);
}
