#include "ledger.h"

#include <stdio.h>

/* In place of a file. */
static const char sample[] =
    "1 salary 250000 monthly wages\n"
    "2 rent -65000 apartment\n"
    "3 food -4250 market\n"
    "3 food -1980 bakery\n"
    "5 rent -6000 electricity\n";

int main(void)
{
    struct ledger *ledger = ledger_open("household");
    if (!ledger) {
        fputs("no memory\n", stderr);
        return 1;
    }
    printf("%d entries\n", parse_all(ledger, sample));
    struct budget *budget = budget_new();
    if (budget) {
        budget_use(budget, ledger);
        budget_print(budget);
    }
    budget_delete(budget);
    report_print(ledger);
    int failed = export_csv(ledger);
    ledger_close(ledger);
    return failed ? 1 : 0;
}
