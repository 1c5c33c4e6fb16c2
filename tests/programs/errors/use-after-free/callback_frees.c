// A callback frees the object that its caller goes on using.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

struct job {
    int id;
    int done;
    void (*finish)(struct job *);
};

static void keep(struct job *j) { j->done = 1; }
static void discard(struct job *j) { free(j); }

static int run(struct job *j)
{
    j->finish(j);
    return j->done; //~ use-after-free
}

int main(void)
{
    struct job local = { 1, 0, keep };
    printf("%d\n", run(&local));
    struct job *heap = malloc(sizeof *heap);
    if (!heap)
        return 1;
    *heap = (struct job){ 2, 0, discard };
    return run(heap);
}
