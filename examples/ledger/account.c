#include "ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct account *account_new(const char *name)
{
    struct account *account = malloc(sizeof *account);
    if (!account)
        return NULL;
    account->name = strdup(name);
    account->balance = 0;
    account->next = NULL;
    if (!account->name) {
        free(account);
        fprintf(stderr, "no memory for account %s\n", account->name); //~ use-after-free
        return NULL;
    }
    return account;
}

struct account *account_find(struct account **list, const char *name)
{
    for (struct account *account = *list; account; account = account->next)
        if (strcmp(account->name, name) == 0)
            return account;

    struct account *account = account_new(name);
    if (!account)
        return NULL;
    account->next = *list;
    *list = account;
    return account;
}

void accounts_free(struct account *list)
{
    while (list) {
        /* Looks like a use after free, but the successor is read before. */
        struct account *next = list->next;
        free(list->name);
        free(list);
        list = next;
    }
}
