// What unknown code leaves in a structure keeps invariants that nobody knows here.
#include <stdlib.h>
#include <string.h>

struct list { int count, flags; void **elements; };
void fill(struct list *list);
int fill_flags(int *flags);

static void destroy(struct list *list)
{
    free(list->elements);
    if (list->flags & 1) //~ step #a2 "taking the branch where `(flags & 1) != 0`"
        free(list); //~ step #a3 "the pointer is freed here"
}

void local_list_ok(void)
{
    struct list list;
    memset(&list, 0, sizeof list);
    fill(&list);
    destroy(&list);
}

void flag_of_unknown_code_bad(void)
{
    struct list list = {0};
    int flags;
    fill_flags(&flags);
    list.flags = flags;
    destroy(&list); //~ invalid-free #a "`&list` is freed by `destroy`, but was never allocated" cause program
    //~^ step #a1 "the pointer is passed here"
}
