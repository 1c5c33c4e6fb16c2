// Le et al., Finding Real Bugs in Big Programs with Incorrectness Logic, §2.3: a control function that dereferences its
// parameter is latent (Listing 5), manifest where null is passed, and `main` has no callers that could know better.
// args: --latent --only null-deref,memory-leak
#include "../stubs.h"

struct stream {
    void *state;
    int kind;
};

long control_latent(struct stream *stream, int command)
{
    long result = 1;
    void *state = stream->state; //~ latent null-deref "`stream`" cause caller when "stream == 0"
    //~^ step #b3 "the null pointer is dereferenced here"
    if (command == 3)
        result = state != NULL;
    return result;
}

long guarded_control_ok(struct stream *stream, int command)
{
    return stream ? control_latent(stream, command) : 0;
}

long control_of_nothing_bad(void)
{
    return control_latent(NULL, 3); //~ null-deref
}

long control_of_local_ok(void)
{
    struct stream stream = {NULL, 1};
    return control_latent(&stream, 3);
}

/* Still latent, and the same defect: the finding in the callee says it. */
long pass_on(struct stream *stream) { return control_latent(stream, 4); }

/* A leak that only some callers see is the fault of this function all the same. */
int open_latent(int kind)
{
    struct stream *stream = malloc(sizeof *stream);
    //~^ latent memory-leak #a "memory allocated here" cause program when "kind >= 8"
    //~^ step #a1 "the block is allocated"
    if (!stream)
        return -1;
    if (kind > 7) //~ step #a2 "taking the branch where `kind >= 8`"
        return -2;
    free(stream);
    return 0;
} //~ step #a3 "the function returns, and nothing points to the block"

int main(int argc, char **argv)
{
    struct stream stream = {argv, argc};
    struct stream *chosen = argc == 3 ? NULL : &stream; //~ step #b1 "taking the branch where `argc == 3`"
    if (argc == 2)
        return (int)control_latent(chosen, 3);
    return (int)control_latent(chosen, 3);
    //~^ latent null-deref #b "`chosen` is null, and `control_latent` dereferences it" cause environment when "argc == 3"
    //~^ step #b2 "the pointer is passed here"
}
