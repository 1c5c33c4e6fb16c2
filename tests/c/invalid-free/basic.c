// What is freed is not the start of a heap block.
#include "../stubs.h"

struct record {
    int number;
    char name[8];
    char *text;
};

static char buffer[16];

void stack_variable_bad(void)
{
    int x = 1;
    free(&x); //~ invalid-free
}

void stack_array_bad(void)
{
    char text[8] = "text";
    char *p = text;
    free(p); //~ invalid-free
}

void global_bad(void)
{
    free(buffer); //~ invalid-free
}

void literal_bad(void)
{
    char *text = "text";
    free(text); //~ invalid-free
}

void middle_bad(void)
{
    char *p = malloc(8);
    if (!p)
        return;
    p++;
    free(p); //~ invalid-free
}

void there_and_back_ok(void)
{
    char *p = malloc(8);
    if (!p)
        return;
    p += 3;
    p -= 3;
    free(p);
}

void member_bad(void)
{
    struct record *record = malloc(sizeof *record);
    if (!record)
        return;
    free(record->name); //~ invalid-free
}

void first_member_ok(void)
{
    struct record *record = malloc(sizeof *record);
    if (!record)
        return;
    free(&record->number);
}

void container_ok(void)
{
    struct record *record = malloc(sizeof *record);
    if (!record)
        return;
    char *name = record->name;
    free(name - offsetof(struct record, name));
}

void container_forgotten_bad(void)
{
    struct record *record = malloc(sizeof *record);
    if (!record)
        return;
    char **link = &record->text;
    free(link); //~ invalid-free
}

void default_text_bad(void)
{
    char *text = strdup("name"); //~ step #a1 "`strdup` returns null"
    if (!text)
        text = "unnamed";
    puts(text);
    free(text); //~ invalid-free #a "`text` is freed, but points to a string literal" cause program
}

void default_text_ok(void)
{
    char *copy = strdup("name");
    puts(copy ? copy : "unnamed");
    free(copy);
}

void small_buffer_ok(int n)
{
    char small[8];
    char *p = n <= 8 ? small : malloc((size_t)n);
    if (!p)
        return;
    p[0] = 1;
    if (p != small)
        free(p);
}

void small_buffer_bad(void)
{
    char small[8];
    int n = any();
    char *p = n <= 8 ? small : malloc((size_t)n); //~ step #b1 "taking the branch where `any() < 9`"
    if (!p)
        return;
    p[0] = 1;
    if (n != 8) //~ step #b2 "taking the branch where `any() != 8`"
        free(p); //~ invalid-free #b "`p` is freed, but points to local variable `small`" cause program
}

void small_buffer_by_size_ok(int n)
{
    char small[8];
    char *p = n <= 8 ? small : malloc((size_t)n);
    if (!p)
        return;
    p[0] = 1;
    if (n > 8)
        free(p);
}

void realloc_of_array_bad(void)
{
    char *p = realloc(buffer, 32); //~ invalid-free
    free(p);
}

void tagged_bad(void)
{
    void *p = malloc(8);
    if (!p)
        return;
    uintptr_t bits = (uintptr_t)p + 1;
    free((void *)bits); //~ invalid-free
}

void tag_removed_ok(void)
{
    void *p = malloc(8);
    if (!p)
        return;
    uintptr_t bits = (uintptr_t)p + 1;
    free((void *)(bits - 1));
}

void cursor_bad(void)
{
    char *p = calloc(4, 1);
    if (!p)
        return;
    for (int i = 0; i < 2; i++)
        p++;
    free(p); //~ invalid-free
}

void cursor_ok(void)
{
    char *p = calloc(4, 1);
    if (!p)
        return;
    for (char *cursor = p; cursor < p + 2; cursor++)
        *cursor = 'x';
    free(p);
}

void function_bad(void)
{
    free((void *)function_bad); //~ invalid-free
}

void parameter_ok(void *p) { free(p); }

void unknown_ok(void) { free(any_pointer()); }
