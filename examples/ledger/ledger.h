/* A household ledger: a journal of entries, accounts with balances, and reports. */
#ifndef LEDGER_H
#define LEDGER_H

#include <stddef.h>

struct entry {
    int day;
    long cents;
    char *text;
};

struct journal {
    struct entry *entries;
    size_t count;
    size_t capacity;
};

struct account {
    char *name;
    long balance;
    struct account *next;
};

struct ledger {
    char *title;
    struct journal journal;
    struct account *accounts;
};

/* ledger.c */
struct ledger *ledger_open(const char *title);
int ledger_book(struct ledger *ledger, int day, const char *account, long cents, const char *text);
void ledger_close(struct ledger *ledger);

/* journal.c */
int journal_init(struct journal *journal);
int journal_add(struct journal *journal, int day, long cents, const char *text);
void journal_clear(struct journal *journal);

/* account.c */
struct account *account_find(struct account **list, const char *name);
void accounts_free(struct account *list);

/* parse.c */
int parse_all(struct ledger *ledger, const char *text);

/* budget.c */
struct budget;
struct budget *budget_new(void);
void budget_use(struct budget *budget, const struct ledger *ledger);
void budget_print(const struct budget *budget);
void budget_delete(struct budget *budget);

/* report.c */
void report_print(const struct ledger *ledger);

/* export.c */
int export_csv(const struct ledger *ledger);

#endif
