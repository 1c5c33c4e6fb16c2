// memmove with overlap in both directions, insertion and deletion in arrays, and hand-written overlapping copies.
#include <stdio.h>
#include <string.h>

static void insert(int *a, int *n, int at, int value)
{
    memmove(a + at + 1, a + at, (size_t)(*n - at) * sizeof *a);
    a[at] = value;
    ++*n;
}

static void erase(int *a, int *n, int at, int count)
{
    memmove(a + at, a + at + count, (size_t)(*n - at - count) * sizeof *a);
    *n -= count;
}

static void show(const int *a, int n)
{
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    putchar('\n');
}

static void shift_forward(char *s, int n, int by)
{
    for (int i = n - 1; i >= 0; i--)
        s[i + by] = s[i];
}

struct record {
    char key;
    double value;
};

int main(void)
{
    char text[32] = "0123456789abcdef";
    memmove(text + 4, text, 10);
    printf("%s\n", text);
    memmove(text, text + 3, 12);
    printf("%s\n", text);
    memmove(text + 5, text + 5, 8);
    memmove(text + 1, text, 0);
    printf("%s\n", text);

    int numbers[16] = { 1, 2, 3, 4, 5 }, n = 5;
    insert(numbers, &n, 0, 100);
    insert(numbers, &n, 3, 300);
    insert(numbers, &n, n, 900);
    show(numbers, n);
    erase(numbers, &n, 1, 3);
    show(numbers, n);
    erase(numbers, &n, n - 1, 1);
    show(numbers, n);

    char word[16] = "shift";
    shift_forward(word, 6, 3);
    memcpy(word, ">> ", 3);
    printf("%s\n", word);

    struct record records[5];
    for (int i = 0; i < 5; i++)
        records[i] = (struct record){ (char)('a' + i), i * 1.5 };
    struct record first = records[0];
    memmove(records, records + 1, 4 * sizeof *records);
    records[4] = first;
    for (int i = 0; i < 5; i++)
        printf("%c%.1f ", records[i].key, records[i].value);
    putchar('\n');

    unsigned char ring[9] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    for (int round = 0; round < 20; round++) {
        unsigned char last = ring[8];
        memmove(ring + 1, ring, 8);
        ring[0] = (unsigned char)(last + ring[4]);
    }
    int sum = 0;
    for (int i = 0; i < 9; i++) {
        printf("%d ", ring[i]);
        sum += ring[i];
    }
    printf("sum %d\n", sum);
    return sum & 0x7f;
}
