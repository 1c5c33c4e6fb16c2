// The cleanup attribute: functions that run when variables leave scope, in reverse order, also on break, goto, return.
#include <stdio.h>
#include <stdlib.h>

static char trail[64];
static int used;

static void note(const int *id) { trail[used++] = (char)('a' + *id); }
static void free_text(char **p)
{
    trail[used++] = *p ? 'F' : 'N';
    free(*p);
}

#define NOTED __attribute__((cleanup(note)))
#define OWNED __attribute__((cleanup(free_text)))

static void flush_trail(const char *what, int value)
{
    trail[used] = 0;
    printf("%-8s %d %s\n", what, value, trail);
    used = 0;
}

static int straight(void)
{
    NOTED int a = 0;
    NOTED int b = 1;
    {
        NOTED int c = 2;
        a += c;
    }
    return a + b;
}

static int early(int n)
{
    NOTED int outer = 3;
    for (int i = 0; i < 5; i++) {
        NOTED int loop = 4 + i;
        if (i == n)
            break;
        if (i == 1)
            continue;
        if (n > 10)
            return loop;
    }
    return outer;
}

static int owner(int size)
{
    OWNED char *text = size ? malloc((size_t)size) : NULL;
    if (!text)
        return -1;
    snprintf(text, (size_t)size, "owned text");
    return text[0];
}

static int jump(int n)
{
    int rounds = 0;
again: {
    NOTED int id = 20 + rounds;
    rounds++;
    if (rounds < n)
        goto again;
    id = 25;
}
    return rounds;
}

int main(void)
{
    int v = straight();
    flush_trail("straight", v);
    v = early(2);
    flush_trail("early", v);
    v = early(11);
    flush_trail("return", v);
    v = owner(16);
    flush_trail("owner", v);
    v = owner(0);
    flush_trail("nothing", v);
    v = jump(4);
    flush_trail("jump", v);
    return v;
}
