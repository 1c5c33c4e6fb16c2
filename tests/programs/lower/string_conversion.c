// Conversions between text and numbers: atoi, strtol in several bases, strtod, printf formats, ctype classes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

static void parse(const char *s, int base)
{
    char *end;
    long v = strtol(s, &end, base);
    unsigned long u = strtoul(s, NULL, base);
    printf("'%s' base %d: %ld %lu rest '%s'\n", s, base, v, u, end);
}

static void classes(int c)
{
    printf("%3d %d%d%d%d%d%d%d%d %c%c\n", c, isalpha(c) != 0, isdigit(c) != 0, isspace(c) != 0, isupper(c) != 0,
           islower(c) != 0, ispunct(c) != 0, isxdigit(c) != 0, isprint(c) != 0, isprint(toupper(c)) ? toupper(c) : '.',
           isprint(tolower(c)) ? tolower(c) : '.');
}

static char *to_base(unsigned v, unsigned base, char *end)
{
    *end = 0;
    do
        *--end = "0123456789abcdefghijklmnopqrstuvwxyz"[v % base];
    while (v /= base);
    return end;
}

int main(void)
{
    printf("atoi %d %d %d %d\n", atoi("42"), atoi("  -17abc"), atoi("none"), atoi("+8"));
    printf("atol %ld\n", atol("-1234567890123"));
    parse("123abc", 10);
    parse("  -0x1Fg", 16);
    parse("0x7f", 0);
    parse("0755", 0);
    parse("zz", 36);
    parse("1012", 2);
    parse("", 10);
    parse("99999999999999999999", 10);
    const char *reals = "3.25e2 -0.5 1e-3 inf 0x1.8p1 text";
    char *end;
    for (const char *p = reals;; p = end) {
        double d = strtod(p, &end);
        if (end == p)
            break;
        printf("%g ", d);
    }
    printf("rest '%s'\n", end);

    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d]\n", 42, 42, 42, 42, 42, 42, 7);
    printf("[%x] [%X] [%#x] [%o] [%#o] [%u]\n", 48879, 48879, 255, 8, 8, -1);
    printf("[%hhd] [%hd] [%ld] [%lld] [%zu] [%jd]\n", 300, 70000, -5L, 1LL << 60, (size_t)7, (__INTMAX_TYPE__)-9);
    printf("[%s] [%10s] [%-10s] [%.2s] [%c] [%3c] [%%]\n", "text", "right", "left", "cut", 'c', 'd');
    int written = 0;
    printf("count%n", &written);
    printf(" %d\n", written);
    for (int c = 0; c < 128; c += 9)
        classes(c);
    char digits[40];
    printf("bases %s", to_base(255, 2, digits + 39));
    printf(" %s", to_base(255, 7, digits + 39));
    printf(" %s\n", to_base(4294967295u, 36, digits + 39));
    return atoi("0042") + (int)strlen(to_base(1000, 3, digits + 39));
}
