#include "ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 16
#define TEXT_SIZE 32

/* Copies at most size - 1 letters up to the delimiter; returns what follows it. */
static const char *field(const char *from, char delimiter, char *to, size_t size)
{
    size_t length = 0;
    while (*from && *from != delimiter) {
        if (length + 1 < size)
            to[length++] = *from;
        from++;
    }
    to[length] = '\0';
    return *from ? from + 1 : from;
}

/* Each line is `day account cents text`. Lines that cannot be booked are reported and skipped. */
int parse_all(struct ledger *ledger, const char *text)
{
    int booked = 0;
    while (*text) {
        char name[NAME_SIZE];
        char remark[TEXT_SIZE];
        char *end;
        long day = strtol(text, &end, 10);
        text = field(end + strspn(end, " "), ' ', name, sizeof name);
        long cents = strtol(text, &end, 10);
        text = field(end + strspn(end, " "), '\n', remark, sizeof remark);
        if (ledger_book(ledger, (int)day, name, cents, remark) < 0)
            fprintf(stderr, "not booked: %s\n", remark);
        else
            booked++;
    }
    return booked;
}
