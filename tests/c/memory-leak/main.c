// What `main` still holds when it returns is left to the system; what it has lost is not.
#include "../stubs.h"

struct node {
    struct node *next;
};

static struct node *nodes;

static void add_ok(void)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        exit(1);
    node->next = nodes;
    nodes = node;
}

static char *heading(void) { return strdup("heading"); }

int main(void)
{
    char *buffer = malloc(64);
    char *lost = malloc(8); //~ memory-leak #a "memory allocated here" cause program when "true"
    //~^ step #a1 "the block is allocated"
    add_ok();
    add_ok();
    if (heading() == NULL) //~ memory-leak
        return 1;
    if (any()) //~ step #a2 "taking the branch where `any() == 0`"
        return 2;
    lost = NULL;
    if (any()) //~ step #a3 "taking the branch where `any() == 0`"
        return lost != NULL;
    return buffer != NULL;
} //~ step #a4 "the function returns, and nothing points to the block"
