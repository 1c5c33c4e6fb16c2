#include "ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 64

struct statistics {
    long total;
    long largest;
    long median;
};

struct bar {
    char *line;
    long width;
};

static char *heading(const char *title)
{
    size_t size = strlen(title) + sizeof "Report of ";
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "Report of %s", title);
    return text;
}

static void print_heading(const struct ledger *ledger)
{
    const char *text = heading(ledger->title); //~ memory-leak
    puts(text ? text : "Report");
}

static char *amount(long cents)
{
    char *text = malloc(24);
    snprintf(text, 24, "%ld.%02ld", cents / 100, labs(cents % 100)); //~ null-deref
    return text;
}

static void print_amount(const char *what, long cents)
{
    char *text = amount(cents);
    printf("%s %s\n", what, text);
    free(text);
}

static int compare(const void *left, const void *right)
{
    long a = *(const long *)left, b = *(const long *)right;
    return (a > b) - (a < b);
}

static int compute(const struct journal *journal, struct statistics *result)
{
    long *sorted = malloc((journal->count + 1) * sizeof *sorted);
    if (!sorted)
        return -1;
    result->total = 0;
    for (size_t i = 0; i < journal->count; i++) {
        sorted[i] = journal->entries[i].cents;
        result->total += sorted[i];
    }
    sorted[journal->count] = 0;
    qsort(sorted, journal->count, sizeof *sorted, compare);
    result->largest = journal->count ? sorted[journal->count - 1] : 0;
    result->median = sorted[journal->count / 2];
    free(sorted);
    return 0;
}

static void print_statistics(const struct journal *journal)
{
    struct statistics statistics;
    if (compute(journal, &statistics) < 0)
        fputs("not enough memory for statistics\n", stderr);
    /* Without memory nothing was computed. */
    printf("largest %ld, median %ld\n", statistics.largest, statistics.median); //~ uninit-read
    if (journal->count)
        printf("average %ld\n", statistics.total / (long)journal->count);
}

static void bar_init(struct bar *bar)
{
    bar->width = 0;
    bar->line = malloc(WIDTH + 1);
    if (bar->line)
        bar->width = WIDTH;
}

/* A bar has as many marks as there is memory for, perhaps none. */
static void print_bar(long cents)
{
    struct bar bar;
    bar_init(&bar);
    long cents_per_mark = 250000 / bar.width; //~ div-by-zero
    long marks = cents / cents_per_mark;
    if (bar.line && marks > 0 && marks <= bar.width) {
        memset(bar.line, '#', (size_t)marks);
        bar.line[marks] = '\0';
        puts(bar.line);
    }
    free(bar.line);
}

void report_print(const struct ledger *ledger)
{
    print_heading(ledger);
    print_statistics(&ledger->journal);
    for (const struct account *account = ledger->accounts; account; account = account->next) {
        print_amount(account->name, account->balance);
        print_bar(account->balance);
    }
}
