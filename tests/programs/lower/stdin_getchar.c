// getchar on empty input: end of file at once and again, feof set, the loop body never entered.
#include <stdio.h>

static int count_lines(void)
{
    int lines = 0, last = '\n', c;
    while ((c = getchar()) != EOF) {
        if (c == '\n')
            lines++;
        last = c;
    }
    if (last != '\n')
        lines++;
    return lines;
}

static unsigned checksum(void)
{
    unsigned sum = 0;
    for (int c = getchar(); c != EOF; c = getchar())
        sum = sum * 31 + (unsigned)c;
    return sum;
}

int main(void)
{
    printf("eof before reading %d\n", feof(stdin) != 0);
    int lines = count_lines();
    printf("lines %d\n", lines);
    printf("eof after reading %d, error %d\n", feof(stdin) != 0, ferror(stdin) != 0);
    printf("checksum %u\n", checksum());
    int c = getchar();
    printf("again %d, as a byte %d\n", c, (unsigned char)c);
    return lines == 0 && c == EOF ? 3 : 1;
}
