// What a manifest error asks of its callers: nothing, or memory that exists (Le et al., OOPSLA 2022, Thm 3.5 and Def. 3.6).
// args: --latent --only null-deref
#include <stdlib.h>

struct node { struct node *next; int value; };

void needs_nothing_bad(int *p)
{
    int *q = 0;
    *q = 1; //~ null-deref when "true"
    *p = 1;
}

void needs_a_valid_pointer_bad(int *p)
{
    if (p) {
        *p = 1;
        int *q = 0;
        *q = 1; //~ null-deref when "valid(p)"
    }
}

void needs_what_is_behind_bad(struct node *p)
{
    p->next->value = 1;
    int *q = 0;
    *q = 1; //~ null-deref when "valid(p) && valid(p->next)"
}

/* Fails unless both are one object. */
int needs_different_objects_bad(int *p, int *r)
{
    int *q = 0;
    *p = 1;
    *r = 0;
    if (*p == 1)
        return *q; //~ null-deref when "valid(p) && valid(r) && p != r"
    return 0;
}

int only_looks_bad(const int *p, const int *r)
{
    int sum = *p + *r;
    int *q = 0;
    return sum + *q; //~ null-deref when "valid(p) && valid(r)"
}

/* Either way it fails, and one way needs memory. */
int one_way_needs_memory_bad(int *p, int k)
{
    int *q = malloc(sizeof *q);
    if (k)
        *p = 1; //~ latent null-deref when "k != 0 && p == 0"
    *q = 2; //~ null-deref cause environment when "valid(p)"
    free(q);
    return 0;
}

void asks_for_a_value_bad(int *p)
{
    int *q = 0;
    if (*p == 7) //~ latent null-deref when "p == 0"
        *q = 1; //~ doomed null-deref
}

extern struct node *head;

void needs_a_global_variable_bad(void)
{
    head->value = 1;
    int *q = 0;
    *q = 1; //~ null-deref when "valid(head)"
}
