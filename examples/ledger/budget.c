#include "ledger.h"

#include <stdio.h>
#include <stdlib.h>

#define CATEGORIES 8

struct budget {
    long *planned;
    long *spent;
};

static int budget_fill(struct budget *budget)
{
    budget->planned = calloc(CATEGORIES, sizeof *budget->planned);
    if (!budget->planned)
        return -1;
    budget->spent = calloc(CATEGORIES, sizeof *budget->spent);
    if (!budget->spent) {
        /* The caller deletes the whole budget, and with it this array once more. */
        free(budget->planned);
        return -1;
    }
    return 0;
}

struct budget *budget_new(void)
{
    struct budget *budget = calloc(1, sizeof *budget);
    if (!budget)
        return NULL;
    if (budget_fill(budget) < 0) {
        budget_delete(budget); //~ double-free
        return NULL;
    }
    return budget;
}

void budget_use(struct budget *budget, const struct ledger *ledger)
{
    size_t i = 0;
    for (const struct account *account = ledger->accounts; account && i < CATEGORIES; account = account->next, i++) {
        budget->planned[i] = 50000;
        budget->spent[i] = account->balance;
    }
}

void budget_print(const struct budget *budget)
{
    for (size_t i = 0; i < CATEGORIES; i++)
        if (budget->planned[i])
            printf("budget %zu: %ld of %ld\n", i + 1, budget->spent[i], budget->planned[i]);
}

void budget_delete(struct budget *budget)
{
    if (!budget)
        return;
    /* Members need no such check: `free` does nothing for null. */
    free(budget->planned);
    free(budget->spent);
    free(budget);
}
