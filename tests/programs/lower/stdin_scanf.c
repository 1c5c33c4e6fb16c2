// scanf on empty input returns EOF and assigns nothing; the initial values of all targets survive.
#include <stdio.h>
#include <string.h>

struct point {
    int x, y;
};

static int read_point(struct point *p)
{
    int got = scanf("%d %d", &p->x, &p->y);
    printf("got %d\n", got);
    return got == 2;
}

int main(void)
{
    int number = 11;
    double real = 2.5;
    char word[8] = "kept";
    char letter = '?';
    int got = scanf("%d", &number);
    printf("number %d %d\n", got, number);
    got = scanf("%lf %7s", &real, word);
    printf("real %d %.2f %s\n", got, real, word);
    got = scanf(" %c", &letter);
    printf("letter %d %c\n", got, letter);
    struct point points[3];
    int n = 0;
    points[0] = (struct point){ -1, -2 };
    while (n < 3 && read_point(&points[n]))
        n++;
    printf("points %d first %d %d\n", n, points[0].x, points[0].y);
    int attempts = 0, sum = 0;
    for (int value; attempts < 4 && scanf("%d", &value) == 1; attempts++)
        sum += value;
    printf("sum %d attempts %d eof %d\n", sum, attempts, feof(stdin) != 0);
    return got == EOF ? 20 + number : 1;
}
