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
    if (n)
        p = text;
    release(p); //~ latent uninit-read
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
