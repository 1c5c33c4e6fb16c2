#include "ledger.h"

#include <stdio.h>
#include <stdlib.h>

struct budget {
    size_t count;
    long *planned;
    long *spent;
};

static int budget_fill(struct budget *budget, const struct ledger *ledger)
{
    for (const struct account *account = ledger->accounts; account; account = account->next)
        budget->count++;
    budget->planned = calloc(budget->count + 1, sizeof *budget->planned);
    if (!budget->planned)
        return -1;
    budget->spent = calloc(budget->count + 1, sizeof *budget->spent);
    if (!budget->spent) {
        /* The caller deletes the whole budget, and with it this array once more. */
        free(budget->planned);
        return -1;
    }
    size_t i = 0;
    for (const struct account *account = ledger->accounts; account; account = account->next, i++) {
        budget->planned[i] = 50000;
        budget->spent[i] = account->balance;
    }
    return 0;
}

struct budget *budget_new(const struct ledger *ledger)
{
    struct budget *budget = calloc(1, sizeof *budget);
    if (!budget)
        return NULL;
    if (budget_fill(budget, ledger) < 0) {
        budget_delete(budget);
        return NULL;
    }
    return budget;
}

void budget_print(const struct budget *budget)
{
    for (size_t i = 0; i < budget->count; i++)
        printf("budget %zu: %ld of %ld\n", i + 1, budget->spent[i], budget->planned[i]);
}

void budget_delete(struct budget *budget)
{
    if (!budget)
        return;
    /* Members need no such check: `free` does nothing for null. */
    free(budget->planned); //~ double-free
    free(budget->spent);
    free(budget);
}
