#include "ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    char *bytes;
    size_t size;
};

/* `line->bytes` is overwritten even if there is no memory, and the bytes so far are lost. */
static int append(struct line *line, const char *text)
{
    size_t length = strlen(text);
    line->bytes = realloc(line->bytes, line->size + length + 1); //~ memory-leak
    if (!line->bytes)
        return -1;
    memcpy(line->bytes + line->size, text, length + 1);
    line->size += length;
    return 0;
}

/* The same with a temporary: nothing is lost. */
static int append_number(struct line *line, long number)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%ld;", number);
    char *bytes = realloc(line->bytes, line->size + (size_t)length + 1);
    if (!bytes)
        return -1;
    line->bytes = bytes;
    memcpy(line->bytes + line->size, digits, (size_t)length + 1);
    line->size += (size_t)length;
    return 0;
}

static const char *error_text(int row)
{
    char text[32];
    char *result = text;
    snprintf(text, sizeof text, "row %d is incomplete\n", row);
    return result;
}

static const char *warning_text(int row)
{
    static char text[32];
    snprintf(text, sizeof text, "row %d has no text\n", row);
    return text;
}

int export_csv(const struct ledger *ledger)
{
    int failed = 0;
    for (size_t i = 0; i < ledger->journal.count; i++) {
        const struct entry *entry = &ledger->journal.entries[i];
        struct line line = { NULL, 0 };
        if (append(&line, entry->text) < 0 || append(&line, ";") < 0) {
            fputs(warning_text((int)i + 1), stderr);
            failed = -1;
        } else if (append_number(&line, entry->day) < 0 || append_number(&line, entry->cents) < 0) {
            fputs(error_text((int)i + 1), stderr); //~ use-after-scope
            failed = -1;
        } else {
            puts(line.bytes);
        }
        free(line.bytes);
    }
    return failed;
}
