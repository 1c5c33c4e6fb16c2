#include "ledger.h"

#include <stdlib.h>
#include <string.h>

int journal_init(struct journal *journal)
{
    journal->count = 0;
    journal->capacity = 0;
    journal->entries = malloc(2 * sizeof *journal->entries);
    if (!journal->entries)
        return -1;
    journal->capacity = 2;
    return 0;
}

int journal_add(struct journal *journal, int day, long cents, const char *text)
{
    if (journal->count == journal->capacity) {
        size_t capacity = 2 * journal->capacity;
        struct entry *entries = realloc(journal->entries, capacity * sizeof *entries);
        if (!entries)
            return -1;
        journal->entries = entries;
        journal->capacity = capacity;
    }
    /* Looks like a pointer into memory that moved, but it is taken afterwards. */
    struct entry *entry = &journal->entries[journal->count];
    entry->day = day;
    entry->cents = cents;
    entry->text = strdup(text);
    /* Without a text the entry is not counted, so nobody will look at it. */
    if (!entry->text)
        return -1;
    journal->count++;
    return 0;
}

void journal_clear(struct journal *journal)
{
    for (size_t i = 0; i < journal->count; i++)
        free(journal->entries[i].text);
    free(journal->entries);
    journal->entries = NULL;
    journal->count = 0;
}
