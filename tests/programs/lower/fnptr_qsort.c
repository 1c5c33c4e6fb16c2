// qsort and bsearch with callbacks: ints, doubles, structs, strings by pointer, and a comparison that counts its calls.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct employee {
    const char *name;
    short age;
    double salary;
};

static int by_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int by_double_descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

static int by_string(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static int by_age_then_name(const void *a, const void *b)
{
    const struct employee *x = a, *y = b;
    return x->age != y->age ? x->age - y->age : strcmp(x->name, y->name);
}

static int by_name(const void *key, const void *element)
{
    return strcmp(key, ((const struct employee *)element)->name);
}

static int sorted(const int *a, int n)
{
    for (int i = 1; i < n; i++)
        if (a[i - 1] > a[i])
            return 0;
    return 1;
}

int main(void)
{
    int numbers[40];
    unsigned state = 12345;
    for (int i = 0; i < 40; i++) {
        state = state * 1103515245 + 12345;
        numbers[i] = (int)(state >> 16 & 0xff) - 128;
    }
    qsort(numbers, 40, sizeof *numbers, by_int);
    for (int i = 0; i < 40; i++)
        printf("%d%c", numbers[i], i % 10 == 9 ? '\n' : ' ');
    printf("sorted %d\n", sorted(numbers, 40));
    int key = numbers[17], missing = 1000;
    int *found = bsearch(&key, numbers, 40, sizeof *numbers, by_int);
    printf("found %d, missing %d\n", found ? *found == key : -1,
           bsearch(&missing, numbers, 40, sizeof *numbers, by_int) == NULL);

    double reals[] = { 0.5, -3.25, 1e9, 2.0, -0.125 };
    qsort(reals, 5, sizeof *reals, by_double_descending);
    for (int i = 0; i < 5; i++)
        printf("%g ", reals[i]);
    const char *words[] = { "delta", "alpha", "echo", "charlie", "bravo" };
    qsort(words, 5, sizeof *words, by_string);
    for (int i = 0; i < 5; i++)
        printf("%s ", words[i]);
    putchar('\n');

    struct employee staff[] = { { "Zoe", 30, 1.5 }, { "Adam", 41, 2.5 }, { "Bea", 30, 3.5 }, { "Carl", 25, 4.5 } };
    qsort(staff, 4, sizeof *staff, by_age_then_name);
    for (int i = 0; i < 4; i++)
        printf("%s %d %.1f\n", staff[i].name, staff[i].age, staff[i].salary);
    struct employee alphabetical[] = { { "Ann", 1, 0 }, { "Ben", 2, 0 }, { "Cid", 3, 0 } };
    struct employee *e = bsearch("Ben", alphabetical, 3, sizeof *alphabetical, by_name);
    printf("lookup %d\n", e ? e->age : -1);
    qsort(numbers, 1, sizeof *numbers, by_int);
    return e ? e->age + staff[0].age : 1;
}
