// Fallthrough, nested switches, break and continue inside them, empty switches, and a default that comes first.
#include <stdio.h>

static int fall(int v)
{
    int bits = 0;
    switch (v) {
    case 3: bits |= 8; /* fall through */
    case 2: bits |= 4; /* fall through */
    case 1: bits |= 2; /* fall through */
    default: bits |= 1; break;
    case 4: bits = 100; /* fall through */
    case 5: bits += 50;
    }
    return bits;
}

static int nested(int a, int b)
{
    switch (a) {
    case 0:
        switch (b) {
        case 0: return 1;
        case 1: break;
        default: return 2;
        }
        return 3;
    case 1:
        switch (b) {
        case 0: a += 10; break;
        case 1: a += 20; /* fall through */
        case 2: a += 30;
        }
        /* fall through */
    case 2:
        a += b;
        break;
    }
    return a;
}

static int count_words(const char *s)
{
    int words = 0, inside = 0;
    for (; *s; s++) {
        switch (*s) {
        case ' ': case '\t': case '\n':
            inside = 0;
            continue;
        case '!':
            break;
        default:
            if (inside)
                continue;
            inside = 1;
            words++;
        }
        if (*s == '!')
            return -words;
    }
    return words;
}

static int default_first(unsigned v)
{
    switch (v) {
    default: v = v * 2 + 1; break;
    case 7: v = 1; break;
    case 9: return 99;
    }
    switch (v) {
    }
    switch (v & 3)
    case 1:
        v += 1000;
    return (int)v;
}

int main(void)
{
    for (int v = 0; v <= 6; v++)
        printf("fall %d = %d\n", v, fall(v));
    for (int a = -1; a <= 3; a++)
        for (int b = 0; b <= 3; b++)
            printf("%d%c", nested(a, b), b == 3 ? '\n' : ' ');
    printf("words %d %d %d\n", count_words("a few  words\there"), count_words(""), count_words("stop now! or not"));
    for (unsigned v = 5; v < 11; v++)
        printf("default %d\n", default_first(v));
    return fall(4);
}
