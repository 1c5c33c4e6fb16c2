// args: --skip doomed
// What happens behind a loop happens for every number of rounds, not only for those that are followed.
#include "../stubs.h"

struct node {
    struct node *next;
    int value;
};

int behind_array_bad(int n, const int *values)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    int *p = malloc(sizeof *p);
    *p = sum; //~ null-deref
    free(p);
    return sum;
}

int behind_calls_bad(int n)
{
    for (int i = 0; i < n; i++)
        use(&n);
    int *p = malloc(sizeof *p);
    *p = n; //~ null-deref
    free(p);
    return n;
}

int behind_text_bad(const char *text)
{
    int length = 0;
    while (*text++) //~ step #a1 "taking the branch where `*text == 0`"
        length++;
    int *p = malloc(sizeof *p); //~ step #a2 "`malloc` returns null"
    *p = length; //~ null-deref #a "`p` is null and is dereferenced" cause environment when "valid(text)"
    free(p);
    return length;
}

int behind_freed_list_bad(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    int *p = malloc(sizeof *p);
    *p = 1; //~ null-deref
    free(p);
    return 1;
}

int behind_power_of_two_bad(unsigned n)
{
    unsigned size = 1;
    while (size < n)
        size *= 2;
    char *p = malloc(size);
    p[0] = 1; //~ null-deref
    free(p);
    return 1;
}

int behind_two_loops_bad(int n, int m, int *values)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            values[i] += k;
    int *p = malloc(sizeof *p);
    *p = 1; //~ null-deref
    free(p);
    return 1;
}

// What the rounds leave in memory is not known, and nothing rests on it.
int written_in_some_round_ok(int n)
{
    int *slots[8] = {0};
    static int numbers[8];
    for (int i = 0; i < n && i < 8; i++)
        slots[i] = &numbers[i];
    return n == 8 ? *slots[7] : 0;
}

int flag_of_some_round_ok(int n)
{
    int box = 1, found = 0, *p = NULL;
    for (int i = 0; i < n; i++)
        if (i == 40) {
            found = 1;
            p = &box;
        }
    return found ? *p : 0;
}

// A search may find what it looks for in a round that is not followed.
static const char *const names[] = {"one", "two", "three", "four", "five", "six", "seven", "eight", NULL};

static const char *const *find(const char *name)
{
    for (const char *const *it = names; *it; it++)
        if (strcmp(*it, name) == 0)
            return it;
    return NULL;
}

char found_later_ok(void)
{
    return **find("eight");
}

static int position(const int *table, int n, int key)
{
    for (int i = 0; i < n; i++)
        if (table[i] == key)
            return i;
    return -1;
}

static const int squares[] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81};

int found_in_table_ok(void)
{
    int *p = NULL, box = 3;
    if (position(squares, 10, 81) >= 0)
        p = &box;
    return *p;
}

struct vector {
    int *items;
    int size;
};

struct vector *some_vector(void);

static void grow(struct vector *vector, int size)
{
    for (int i = vector->size; i < size; i++)
        use(vector);
}

int grown_by_callee_ok(void)
{
    struct vector *vector = some_vector();
    vector->items = NULL;
    vector->size = 0;
    grow(vector, 8);
    return vector->items[0];
}
