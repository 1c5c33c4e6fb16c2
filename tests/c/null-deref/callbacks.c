// What a function answers that the caller passes is for the caller to choose; unknown functions answer as they like.
// args: --latent --only null-deref

struct hooks { int (*ask)(int); void *data; };

static int ask(int (*answer)(int))
{
    int y = 1, *p = 0;
    if (answer(3)) //~ latent null-deref when "answer == 0"
        p = &y;
    return *p; //~ latent null-deref
}

static int one(int x) { (void)x; return 1; }
static int none(int x) { (void)x; return 0; }

int decided_by_the_caller_ok(void) { return ask(one); }
int decided_by_the_caller_bad(void) { return ask(none); } //~ null-deref cause program when "true"

int member_answers_latent(struct hooks *hooks)
{
    int y = 1, *p = 0;
    if (hooks->ask(3)) //~ latent null-deref //~ latent null-deref
        p = &y;
    return *p; //~ latent null-deref
}

int elsewhere(int x);

int unknown_function_answers_bad(void)
{
    int y = 1, *p = 0;
    if (elsewhere(3))
        p = &y;
    return *p; //~ null-deref
}
