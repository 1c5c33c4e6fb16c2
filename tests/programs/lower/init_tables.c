// Constant tables: strings, pointers to strings, function pointers, nested constant structs, shared text.
#include <stdio.h>
#include <string.h>

typedef int (*handler)(const char *, int);

static int repeat(const char *s, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += printf("%s ", s);
    putchar('\n');
    return total;
}

static int count_letters(const char *s, int n)
{
    int c = 0;
    while (*s)
        c += *s++ == n;
    return c;
}

static int length(const char *s, int n) { return (int)strlen(s) * n; }

struct option {
    const char *const name;
    handler run;
    int argument;
    const struct option *fallback;
};

static const struct option base[] = { { "length", length, 2, NULL } };

static const struct option options[] = {
    { "repeat", repeat, 3, &base[0] },
    { "count", count_letters, 'e', &options[0] },
    { "", NULL, 0, options + 1 },
};

static const char *const days[7] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };
static const char *const *const weekend = &days[5];
static const char joined[] = "one\0two\0three";
static const unsigned char crc[16] = { 0, 7, 14, 9, 28, 27, 18, 21, 56, 63, 54, 49, 36, 35, 42, 45 };
static const double weights[] = { 0.5, 1e-3, -2.5, 1 / 3.0 };
static const char wide_text[3][12] = { "first", "second", "third" };
static const long flags[] = { 1L << 40, -1, (char)300 == 44, sizeof(int[3]), 'a' + 'b' };

static int dispatch(const struct option *o, const char *s)
{
    while (o && !o->run)
        o = o->fallback;
    return o ? o->run(s, o->argument) : -1;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        printf("%d %s = %d\n", i, options[i].name, dispatch(&options[i], "every letter"));
    printf("fallback %d\n", dispatch(options[0].fallback, "abc"));
    for (const char *const *d = days; d < days + 7; d++)
        printf("%s%s", *d, d == weekend ? "! " : " ");
    putchar('\n');
    for (const char *s = joined; s < joined + sizeof joined; s += strlen(s) + 1)
        printf("[%s]", s);
    unsigned char h = 0x5a;
    for (int i = 0; i < 20; i++)
        h = (unsigned char)(crc[h & 15] ^ h >> 4 ^ i);
    printf("\ncrc %02x\n", h);
    double total = 0;
    for (unsigned i = 0; i < sizeof weights / sizeof *weights; i++)
        total += weights[i] * (i + 1);
    printf("weights %.6f\n", total);
    printf("texts %s %s %zu\n", wide_text[1], wide_text[2] + 2, sizeof wide_text);
    printf("flags %lx %ld %ld %ld %ld\n", (unsigned long)flags[0], flags[1], flags[2], flags[3], flags[4]);
    return dispatch(&options[1], "theee");
}
