#include "ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct statistics {
    long total;
    long largest;
    long median;
};

static char *heading(const struct ledger *ledger)
{
    size_t size = strlen(ledger->title) + sizeof "Report of ";
    char *text = malloc(size); //~ memory-leak
    if (text)
        snprintf(text, size, "Report of %s", ledger->title);
    return text;
}

static char *amount(long cents)
{
    char *text = malloc(24);
    snprintf(text, 24, "%ld.%02ld", cents / 100, labs(cents % 100)); //~ null-deref
    return text;
}

static int compare(const void *left, const void *right)
{
    long a = *(const long *)left, b = *(const long *)right;
    return (a > b) - (a < b);
}

static int compute(const struct journal *journal, struct statistics *result)
{
    result->total = 0;
    for (size_t i = 0; i < journal->count; i++)
        result->total += journal->entries[i].cents;
    long *sorted = malloc((journal->count + 1) * sizeof *sorted);
    if (!sorted)
        return -1;
    for (size_t i = 0; i < journal->count; i++)
        sorted[i] = journal->entries[i].cents;
    sorted[journal->count] = 0;
    qsort(sorted, journal->count, sizeof *sorted, compare);
    result->largest = journal->count ? sorted[journal->count - 1] : 0;
    result->median = sorted[journal->count / 2];
    free(sorted);
    return 0;
}

static void print_amount(const char *what, long cents)
{
    char *text = amount(cents);
    printf("%s %s\n", what, text);
    free(text);
}

void report_print(const struct ledger *ledger)
{
    const char *title = heading(ledger);
    puts(title ? title : "Report");

    struct statistics statistics;
    if (compute(&ledger->journal, &statistics) < 0)
        fputs("not enough memory for all statistics\n", stderr);
    print_amount("total", statistics.total);
    /* Without memory only the total was computed. */
    printf("largest %ld, median %ld\n", statistics.largest, statistics.median); //~ uninit-read
    print_amount("average", statistics.total / (long)ledger->journal.count); //~ div-by-zero

    for (const struct account *account = ledger->accounts; account; account = account->next)
        print_amount(account->name, account->balance);
}
