#include "ledger.h"

#include <stdlib.h>
#include <string.h>

struct ledger *ledger_open(const char *title)
{
    struct ledger *ledger = malloc(sizeof *ledger);
    if (!ledger)
        return NULL;
    ledger->accounts = NULL;
    ledger->title = strdup(title);
    if (!ledger->title)
        ledger->title = "untitled";
    if (journal_init(&ledger->journal) < 0) {
        /* If there was no memory for a copy of the title, a string literal is freed. */
        ledger_close(ledger); //~ invalid-free
        return NULL;
    }
    return ledger;
}

int ledger_book(struct ledger *ledger, int day, const char *name, long cents, const char *text)
{
    struct account *account = account_find(&ledger->accounts, name);
    if (!account)
        return -1;
    if (journal_add(&ledger->journal, day, cents, text) < 0)
        return -1;
    account->balance += cents;
    return 0;
}

void ledger_close(struct ledger *ledger)
{
    journal_clear(&ledger->journal);
    accounts_free(ledger->accounts);
    free(ledger->title);
    free(ledger);
}
