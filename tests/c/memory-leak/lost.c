// The last pointer to a block is gone before the function ends, and the way to its end is not followed.
#include "../stubs.h"

// Too many rounds to be followed for most arguments.
static int rounds(unsigned n)
{
    int i = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        i++;
    }
    return i;
}

int lost_before_a_long_way_bad(void)
{
    char *p = malloc(8); //~ memory-leak
    if (!p)
        return -1;
    return rounds(27) > 100;
}

int freed_before_a_long_way_ok(void)
{
    char *p = malloc(8);
    free(p);
    return rounds(27) > 100;
}

int used_behind_a_long_way_ok(void)
{
    char *p = malloc(8);
    int n = rounds(27);
    free(p);
    return n;
}

int kept_in_a_variable_ok(void)
{
    struct { char *first, *second; } both = { malloc(8), 0 };
    char **where = any() ? &both.first : &both.second;
    int n = rounds(27);
    free(*where);
    if (*where != both.first)
        free(both.first);
    return n;
}

int overwritten_bad(void)
{
    char *p = malloc(8); //~ memory-leak
    p = 0;
    int n = rounds(27);
    free(p);
    return n;
}

// What is lost when the program ends is nobody's concern.
void lost_before_the_end_of_the_program_ok(void)
{
    char *message = malloc(8);
    if (message)
        message[0] = 0;
    if (any())
        exit(1);
    exit(2);
}

int lost_on_the_way_to_exit_ok(int n)
{
    char *message = malloc(8);
    if (n < 0) {
        rounds(27);
        exit(1);
    }
    free(message);
    return n;
}

// A caller whose structure is in a state that six of its members tell: whoever makes it never lets it come to that.
struct state { int mode, size, want, again, skip, direct; };

int needs_a_strange_state_ok(struct state *s)
{
    if (s->mode != 1 || s->size != 0 || s->want != 0 || !s->again || s->skip || !s->direct)
        return 0;
    malloc(8);
    return 1;
}

int needs_two_members_latent(struct state *s)
{
    if (s->mode != 1 || s->size != 0) //~ step #a1 "taking the branch where `s->mode == 1`"
    //~^ step #a2 "taking the branch where `s->size == 0`"
        return 0;
    malloc(8);
    //~^ latent memory-leak #a "memory allocated here" cause program when "s->mode == 1 && s->size == 0"
    //~^ step #a3 "the block is allocated"
    return 1;
} //~ step #a4 "the function returns, and nothing points to the block"
