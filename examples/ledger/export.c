#include "ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    char *bytes;
    size_t size;
};

/* With a temporary: if there is no memory, the bytes so far are still there. */
static int append(struct line *line, long number)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%ld;", number);
    if (length < 0)
        return -1;
    char *bytes = realloc(line->bytes, line->size + (size_t)length + 1);
    if (!bytes)
        return -1;
    line->bytes = bytes;
    memcpy(line->bytes + line->size, digits, (size_t)length + 1);
    line->size += (size_t)length;
    return 0;
}

/* If only the second number fails, the first one's memory is lost. */
static int export_entry(const struct entry *entry)
{
    struct line line = { NULL, 0 };
    if (append(&line, entry->day) < 0) //~ memory-leak
        return -1;
    if (append(&line, entry->cents) < 0)
        return -1;
    fputs(line.bytes, stdout);
    free(line.bytes);
    return 0;
}

/* The text starts each line, cut after eight letters. */
static void export_text(const char *text)
{
    char start[8];
    char *end = start + sizeof start;
    strncpy(start, text, sizeof start);
    *end = '\0'; //~ out-of-bounds
    printf("%s\n", start);
}

/* The same as it should be. */
static void export_title(const char *text)
{
    char start[16];
    strncpy(start, text, sizeof start - 1);
    start[sizeof start - 1] = '\0';
    printf("# %s\n", start);
}

static const char *error_text(size_t row)
{
    char text[48];
    char *result = text;
    snprintf(text, sizeof text, "row %zu is incomplete\n", row);
    return result; //~ use-after-scope
}

static const char *warning_text(size_t row)
{
    static char text[48];
    snprintf(text, sizeof text, "row %zu has no text\n", row);
    return text;
}

static void export_warn(size_t row)
{
    fputs(warning_text(row), stderr);
}

static void export_fail(size_t row)
{
    fputs(error_text(row), stderr);
}

int export_csv(const struct ledger *ledger)
{
    int failed = 0;
    export_title(ledger->title);
    for (size_t i = 0; i < ledger->journal.count; i++) {
        const struct entry *entry = &ledger->journal.entries[i];
        if (export_entry(entry) < 0) {
            export_fail(i + 1);
            failed = -1;
        } else if (entry->text) {
            export_text(entry->text);
        } else {
            export_warn(i + 1);
        }
    }
    return failed;
}
