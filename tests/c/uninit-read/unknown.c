// A pointer that is handed to unknown code must have been written.
// args: --latent --only uninit-read

void release(void *);
void count(int);
struct pair { char *text; int kind; };
void take(struct pair);

void unwritten_bad(void)
{
    char *p;
    release(p); //~ uninit-read
}

void sometimes_latent(int n, char *text)
{
    char *p;
    if (n) //~ step #a1 "taking the branch where `n == 0`"
        p = text;
    release(p);
    //~^ latent uninit-read #a "`p` is used as an argument but was never written" cause program when "n == 0"
}

void through_pointer_bad(void (*done)(char *))
{
    char *p;
    done(p); //~ uninit-read
}

// Nobody knows whether it is looked at.
void number_ok(void)
{
    int n;
    count(n);
}

void part_of_structure_ok(void)
{
    struct pair pair;
    pair.kind = 0;
    take(pair);
}

void written_ok(char *text)
{
    char *p = text;
    release(p);
}

int fill(char **out);

void filled_by_unknown_code_ok(void)
{
    char *p;
    if (fill(&p) == 0)
        release(p);
}

struct wanted { const char *name; void *result; };
int get(struct wanted *wanted);

int filled_behind_ok(void)
{
    int n;
    struct wanted wanted = { "n", &n };
    if (get(&wanted) != 0)
        return -1;
    if (n > 0)
        return 1;
    return 2;
}

static int ask(int (*how)(struct wanted *), struct wanted *wanted)
{
    return how(wanted);
}

int filled_behind_in_callee_ok(int (*how)(struct wanted *))
{
    int n;
    struct wanted wanted[2] = { { "n", &n }, { 0, 0 } };
    if (ask(how, wanted) != 0)
        return -1;
    if (n > 0)
        return 1;
    return 2;
}

int nobody_knows_it_bad(void)
{
    int n;
    struct wanted wanted = { "n", 0 };
    if (get(&wanted) != 0)
        return -1;
    if (n > 0) //~ uninit-read
        return 1;
    return 2;
}
