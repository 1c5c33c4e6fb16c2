// malloc, calloc, realloc and free: growth and shrinking keep contents, null and zero arguments, arrays of strings.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    char *data;
    size_t length, capacity;
    int growths;
};

static void append(struct buffer *b, const char *s)
{
    size_t n = strlen(s);
    if (b->length + n + 1 > b->capacity) {
        b->capacity = (b->length + n + 1) * 2;
        b->data = realloc(b->data, b->capacity);
        if (!b->data)
            abort();
        b->growths++;
    }
    memcpy(b->data + b->length, s, n + 1);
    b->length += n;
}

static char **split(const char *s, char separator, int *count)
{
    char **parts = NULL;
    *count = 0;
    for (;;) {
        const char *end = strchr(s, separator);
        size_t n = end ? (size_t)(end - s) : strlen(s);
        parts = realloc(parts, ((size_t)*count + 1) * sizeof *parts);
        if (!parts || !(parts[*count] = malloc(n + 1)))
            abort();
        memcpy(parts[*count], s, n);
        parts[*count][n] = 0;
        ++*count;
        if (!end)
            return parts;
        s = end + 1;
    }
}

int main(void)
{
    struct buffer b = { 0 };
    char piece[8];
    for (int i = 0; i < 30; i++) {
        sprintf(piece, "%d,", i * i);
        append(&b, piece);
    }
    printf("%s\n%zu growths %d\n", b.data, b.length, b.growths);

    int *numbers = malloc(4 * sizeof *numbers);
    if (!numbers)
        return 99;
    for (int i = 0; i < 4; i++)
        numbers[i] = i + 1;
    int *grown = realloc(numbers, 1000 * sizeof *grown);
    if (!grown)
        return 99;
    grown[999] = 5;
    printf("grown %d %d %d\n", grown[0], grown[3], grown[999]);
    int *shrunk = realloc(grown, 2 * sizeof *shrunk);
    if (!shrunk)
        return 99;
    printf("shrunk %d %d\n", shrunk[0], shrunk[1]);
    free(shrunk);

    long *zeros = calloc(25, sizeof *zeros), sum = 0;
    if (!zeros)
        return 99;
    for (int i = 0; i < 25; i++)
        sum += zeros[i];
    printf("zeros %ld\n", sum);
    free(zeros);
    free(NULL);

    int count;
    char **parts = split("usr/local//share/", '/', &count);
    for (int i = 0; i < count; i++) {
        printf("<%s>", parts[i]);
        free(parts[i]);
    }
    free(parts);
    printf(" %d\n", count);
    int **triangle = malloc(6 * sizeof *triangle), total = 0;
    for (int i = 0; triangle && i < 6; i++) {
        triangle[i] = calloc((size_t)i + 1, sizeof **triangle);
        if (!triangle[i])
            abort();
        triangle[i][0] = triangle[i][i] = 1;
        for (int j = 1; j < i; j++)
            triangle[i][j] = triangle[i - 1][j - 1] + triangle[i - 1][j];
    }
    for (int i = 0; triangle && i < 6; i++) {
        total += triangle[i][i / 2];
        free(triangle[i]);
    }
    free(triangle);
    printf("triangle %d\n", total);
    free(b.data);
    return total;
}
