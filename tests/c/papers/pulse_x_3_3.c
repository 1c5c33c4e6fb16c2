// Le et al., Finding Real Bugs in Big Programs with Incorrectness Logic, §3.3: the four conditions of Thm 3.5 on the
// summaries S1 to S5, and the relaxation of Def. 3.6.
// args: --latent --only null-deref,use-after-free --skip doomed
#include "../stubs.h"

int *x;
int number;


/* S1 and S2: conditions (3) and (4). The error needs an allocation at a place that the caller names. */
void allocated_there_latent(void)
{
    int *z = malloc(sizeof *z), *null = NULL; //~ step #a1 "`malloc` returns null"
    if (z == x) //~ step #a2 "taking the branch where `malloc() == x`"
        *null = 1; //~ latent null-deref #a "`null` is null and is dereferenced" cause program when "x == 0"
    free(z);
}

/* S3: condition (4). The error needs a value that the caller chooses. */
void seven_latent(void)
{
    int *null = NULL;
    if (number == 7) //~ step #b1 "taking the branch where `number == 7`"
        *null = 1;
        //~^ latent null-deref #b "`null` is null and is dereferenced" cause program when "number == 7"
}

/* S4, condition (1): a presumption with a freed cell, which is kept in the summary and not shown. S5, Def. 3.6: a
   presumption with memory that exists. */
void freed_and_written_bad(void)
{
    free(x);
    *x = 2; //~ use-after-free //~ latent null-deref
}

/* Condition (1): any context will do. */
void no_presumption_bad(void)
{
    int *null = NULL;
    *null = 1; //~ null-deref
}

/* Condition (2): the result is satisfiable; here it is not. */
void contradiction_ok(void)
{
    int *null = NULL;
    if (number > 7 && number < 8)
        *null = 1;
}

/* Condition (3): an allocation in any place will do. */
void allocated_somewhere_bad(void)
{
    int *z = malloc(sizeof *z), *null = NULL;
    if (z)
        *null = 1; //~ null-deref
}

/* Condition (4) over both values of the variable: rule Disj joins the two summaries. */
void seven_or_not_bad(void)
{
    int *null = NULL;
    if (number == 7)
        report("seven");
    *null = 1; //~ null-deref
}

/* Condition (4): what unknown code returns is not the caller's choice. */
void unknown_seven_bad(void)
{
    int *null = NULL;
    if (any() == 7)
        *null = 1; //~ null-deref
}
