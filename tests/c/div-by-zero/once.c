// Other code of the program runs inside of library functions.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int divisor, compared, raised;
static void init(void) { divisor = 3; }
static int compare(const void *a, const void *b) { compared++; return *(const int *)a - *(const int *)b; }
static void on_signal(int number) { raised = number; }

int main(void)
{
    int numbers[2] = { 2, 1 };
    pthread_once(&once, init);
    qsort(numbers, 2, sizeof *numbers, compare);
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    return 6 / divisor + 6 / compared + 6 / raised;
}

struct context { jmp_buf jump; int divisor; };
static void fail(struct context *c) { c->divisor = 5; longjmp(c->jump, 1); }

int jump_ok(void)
{
    struct context c;
    c.divisor = 0;
    if (setjmp(c.jump))
        return 10 / c.divisor;
    fail(&c);
    return 0;
}

int before_jump_bad(void)
{
    struct context c;
    c.divisor = 0;
    if (setjmp(c.jump) == 0)
        return 10 / c.divisor; //~ div-by-zero
    return 0;
}
