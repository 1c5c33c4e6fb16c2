// Pointer arithmetic: increments, negative indices, scaling by element size, subtraction, and walks in both directions.
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>

struct point3 {
    short x, y, z;
};

static long sum_between(const int *first, const int *last)
{
    long sum = 0;
    while (first != last)
        sum += *first++;
    return sum;
}

static char *find_last(char *begin, char *end, char wanted)
{
    while (end > begin)
        if (*--end == wanted)
            return end;
    return NULL;
}

static void reverse(int *a, size_t n)
{
    for (int *low = a, *high = a + n - 1; low < high; low++, high--) {
        int t = *low;
        *low = *high;
        *high = t;
    }
}

int main(void)
{
    int numbers[10];
    for (int i = 0; i < 10; i++)
        *(numbers + i) = i * i - 20;
    printf("sum %ld, middle %ld\n", sum_between(numbers, numbers + 10), sum_between(numbers + 3, &numbers[7]));
    reverse(numbers, 10);
    for (int *p = numbers; p != numbers + 10; ++p)
        printf("%d%c", *p, p == numbers + 9 ? '\n' : ' ');
    int *middle = &numbers[5];
    printf("around %d %d %d %d\n", middle[-5], middle[-1], *(middle + 4), 2 [middle]);
    printf("differences %td %td\n", &numbers[9] - middle, numbers - middle);

    double reals[4] = { 0.5, 1.5, 2.5, 3.5 };
    double *q = reals;
    q += 3;
    printf("real %.1f", *q--);
    printf(" %.1f", *--q);
    q -= 1;
    printf(" %.1f", *q++);
    printf(", bytes %td\n", (char *)(q + 1) - (char *)reals);

    struct point3 points[5];
    for (int i = 0; i < 5; i++)
        points[i] = (struct point3){ (short)i, (short)(i * 10), (short)-i };
    struct point3 *last = points + 4;
    short *z = &last->z;
    printf("struct %d %d, size %zu, elements %td, bytes %td\n", (last - 2)->y, *z, sizeof *last, last - points,
           (char *)z - (char *)points);

    char text[] = "a path/to/some/file";
    char *slash = find_last(text, text + sizeof text - 1, '/');
    printf("after slash %s at %td, missing %d\n", slash + 1, slash - text, find_last(text, slash, 'Q') == NULL);
    unsigned index = 3;
    int64_t offset = -2;
    printf("mixed %d %d\n", numbers[index], (numbers + index)[offset]);
    return (int)(slash - text);
}
