// Enumerations: implicit and explicit values, negative and large enumerators, use as indices, flags and switch labels.
#include <stdio.h>

enum color { RED, GREEN = 5, BLUE, LAST = BLUE + 10 };
enum sign { NEGATIVE = -3, ZERO = 0, POSITIVE = 3 };
enum flags { READ = 1 << 0, WRITE = 1 << 1, EXEC = 1 << 2, ALL = READ | WRITE | EXEC };
enum wide { SMALL = 1, HUGE_VALUE = 0x7fffffff };
enum __attribute__((packed)) tiny { TINY_A, TINY_B = 200 };

static const char *color_name(enum color c)
{
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    case LAST: return "last";
    }
    return "?";
}

static enum sign sign_of(int v) { return v < 0 ? NEGATIVE : v > 0 ? POSITIVE : ZERO; }

static void show_flags(enum flags f)
{
    putchar(f & READ ? 'r' : '-');
    putchar(f & WRITE ? 'w' : '-');
    putchar(f & EXEC ? 'x' : '-');
    putchar('\n');
}

static const int weight[] = { [RED] = 10, [GREEN] = 20, [BLUE] = 30, [LAST] = 40 };

int main(void)
{
    enum color colors[] = { RED, GREEN, BLUE, LAST, (enum color)3 };
    for (int i = 0; i < 5; i++)
        printf("%d %s %d\n", (int)colors[i], color_name(colors[i]), weight[colors[i]]);
    int total = 0;
    for (int v = -2; v <= 2; v++) {
        enum sign s = sign_of(v);
        total += s * v;
        printf("sign %d\n", (int)s);
    }
    for (int f = 0; f <= ALL; f++)
        show_flags((enum flags)f);
    enum tiny t = TINY_B;
    enum wide w = HUGE_VALUE;
    printf("sizes %zu %zu %zu\n", sizeof(enum color), sizeof(enum tiny), sizeof t + sizeof w);
    printf("tiny %d, plus 100 %d\n", (int)t, t + 100);
    printf("wide %d, table %zu entries, total %d\n", (int)w, sizeof weight / sizeof *weight, total);
    return total;
}
