// Several readers in turn on empty input: character, line and formatted reads all report the end, output continues.
#include <stdio.h>
#include <ctype.h>
#include <stdlib.h>

enum reader { BY_CHAR, BY_LINE, BY_FORMAT };

static int skip_spaces(void)
{
    int c;
    do
        c = getchar();
    while (c != EOF && isspace(c));
    return c;
}

static int read_number(enum reader how, int fallback)
{
    int value = fallback;
    char line[24];
    switch (how) {
    case BY_CHAR: {
        int c = skip_spaces();
        if (c == EOF)
            return fallback;
        for (value = 0; c != EOF && isdigit(c); c = getchar())
            value = value * 10 + c - '0';
        return value;
    }
    case BY_LINE:
        return fgets(line, sizeof line, stdin) ? atoi(line) : fallback;
    case BY_FORMAT:
        return scanf("%d", &value) == 1 ? value : fallback;
    }
    return -1;
}

int main(void)
{
    int total = 0;
    for (int round = 0; round < 2; round++)
        for (enum reader how = BY_CHAR; how <= BY_FORMAT; how++) {
            int v = read_number(how, (int)how * 10 + round);
            printf("round %d reader %d value %d\n", round, (int)how, v);
            total += v;
        }
    fprintf(stdout, "total %d, eof %d\n", total, feof(stdin) ? 1 : 0);
    puts("done");
    return total;
}
