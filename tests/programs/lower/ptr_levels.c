// Pointers to pointers, pointers to arrays, arrays of pointers, and out-parameters that rewrite the caller's pointer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int value;
    struct item *next;
};

static void remove_if_odd(struct item **link)
{
    while (*link) {
        if ((*link)->value % 2) {
            struct item *gone = *link;
            *link = gone->next;
            free(gone);
        } else {
            link = &(*link)->next;
        }
    }
}

static int make_pair(int **first, int **second)
{
    int *block = calloc(2, sizeof *block);
    if (!block)
        return -1;
    *first = block;
    *second = block + 1;
    return 0;
}

static int row_sum(int (*row)[4])
{
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (*row)[i];
    return sum;
}

static void swap_pointers(const char **a, const char **b)
{
    const char *t = *a;
    *a = *b;
    *b = t;
}

int main(void)
{
    struct item *head = NULL;
    for (int i = 9; i >= 0; i--) {
        struct item *it = malloc(sizeof *it);
        if (!it)
            return 99;
        it->value = i * 3;
        it->next = head;
        head = it;
    }
    remove_if_odd(&head);
    for (struct item *it = head; it; it = it->next)
        printf("%d ", it->value);
    putchar('\n');

    int *a, *b;
    if (make_pair(&a, &b))
        return 98;
    *a = 5;
    *b = *a * 7;
    int **through = &b, ***deep = &through;
    ***deep += 1;
    *deep = &a;
    ***deep -= 2;
    printf("pair %d %d\n", *a, *b);
    free(a);

    int matrix[3][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } };
    for (int (*row)[4] = matrix; row < matrix + 3; row++)
        printf("row %d\n", row_sum(row));
    int (*whole)[3][4] = &matrix;
    printf("whole %d, sizes %zu %zu\n", (*whole)[2][1], sizeof *whole, sizeof **whole);

    const char *words[] = { "pear", "fig", "apple", "kiwi", NULL };
    for (const char **p = words; p[1]; p++)
        for (const char **q = p + 1; *q; q++)
            if (strcmp(*p, *q) > 0)
                swap_pointers(p, q);
    for (const char *const *p = words; *p; p++)
        printf("%s%c", *p, p[1] ? ',' : '\n');
    int total = 0;
    while (head) {
        struct item *next = head->next;
        total += head->value;
        free(head);
        head = next;
    }
    return total;
}
