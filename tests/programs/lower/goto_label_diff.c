// Label differences: a constant table of 32-bit distances between labels, added to a base label before the jump.
#include <stdio.h>

static int run(const char *program, int value)
{
    static const int distance[] = { &&increment - &&base, &&twice - &&base, &&negate - &&base, &&square - &&base,
                                    &&finish - &&base };
    int trace = 0;
base:
    trace++;
    switch (*program) {
    case '+': goto *(&&base + distance[0]);
    case '*': goto *(&&base + distance[1]);
    case '-': goto *(&&base + distance[2]);
    case '^': goto *(&&base + distance[3]);
    default: goto *(&&base + distance[4]);
    }
increment:
    value++;
    program++;
    goto base;
twice:
    value *= 2;
    program++;
    goto base;
negate:
    value = -value;
    program++;
    goto base;
square:
    value *= value;
    program++;
    goto base;
finish:
    return value * 100 + trace;
}

static int order(int which)
{
    const void *labels[3] = { &&first, &&second, &&third };
    int log = 0, visits = 0;
    goto *labels[which % 3];
first:
    log = log * 10 + 1;
    if (++visits >= 3)
        return log;
    goto *labels[(which + visits * 2) % 3];
second:
    log = log * 10 + 2;
    if (++visits >= 3)
        return log;
    goto *labels[(which + visits) % 3];
third:
    log = log * 10 + 3;
    if (++visits >= 3)
        return log;
    goto *labels[visits % 3];
}

int main(void)
{
    const char *programs[] = { "", "+", "++*", "+*-^", "^^+-*", "+^*-+" };
    for (int i = 0; i < 6; i++)
        printf("%s -> %d\n", programs[i], run(programs[i], i));
    for (int which = 0; which < 5; which++)
        printf("order %d %d\n", which, order(which));
    return run("+*", 5) & 0x7f;
}
