// Le et al., Finding Real Bugs in Big Programs with Incorrectness Logic, §5: of all error specifications only those that
// hold in every context are worth a report; the rest would drown them.
#include "../stubs.h"

struct record {
    char *text;
    int size;
};

/* First accesses to memory of the caller: each has specifications with null and with freed memory. */
int first_access_ok(const struct record *record) { return record->text[record->size]; }

/* No null in the presumption, and still the caller's choice. */
int error_code_chosen_by_caller(int kind)
{
    char *text = NULL;
    if (kind == 1) //~ step #a2 "taking the branch where `kind != 1`"
        text = "one";
    else if (kind == 2) //~ step #a3 "taking the branch where `kind != 2`"
        text = "two";
    return text[0]; //~ step #a4 "`text` is null and is dereferenced"
}

int kinds_known_ok(void) { return error_code_chosen_by_caller(1) + error_code_chosen_by_caller(2); }

int kind_wrong_bad(void)
{
    return error_code_chosen_by_caller(3);
    //~^ null-deref #a "in `error_code_chosen_by_caller`: `text` is null and is dereferenced" cause program
    //~^ step #a1 "this call makes `error_code_chosen_by_caller` fail"
}

/* Relaxed manifest: the caller's memory must exist, nothing more. */
int relaxed_bad(struct record *record)
{
    char *text = malloc(8);
    text[0] = (char)record->size; //~ null-deref
    record->text = text;
    return 0;
}

int relaxed_member_bad(struct record *record)
{
    free(record->text);
    record->size = record->text[0]; //~ use-after-free
    return 0;
}

/* A leak on an error path: reported, whether latent or manifest. */
char *copy_bad(const struct record *record)
{
    char *copy = malloc(8); //~ memory-leak #b "memory allocated here" cause program when "valid(record) && valid(record->text)"
    //~^ step #b1 "the block is allocated"
    if (!copy)
        return NULL;
    copy[0] = record->text[0];
    char *second = malloc(8); //~ step #b2 "`malloc` returns null"
    if (!second)
        return NULL;
    second[0] = copy[0];
    free(copy);
    return second;
} //~ step #b3 "the function returns, and nothing points to the block"

char *copy_latent(const struct record *record)
{
    char *copy = malloc(8);
    //~^ latent memory-leak #c "memory allocated here" cause program when "record->size >= 9"
    //~^ step #c1 "the block is allocated"
    if (!copy)
        return NULL;
    if (record->size > 8) //~ step #c2 "taking the branch where `record->size >= 9`"
        return NULL;
    copy[0] = record->text[0];
    return copy;
} //~ step #c3 "the function returns, and nothing points to the block"
