// Calls in tail position: guaranteed ones between functions of one type, a state machine, and a deep countdown.
#include <stdio.h>

#if defined(__clang__)
#define TAIL __attribute__((musttail))
#else
#define TAIL
#endif

struct machine {
    const char *input;
    int letters, digits, others, steps;
};

static int start(struct machine *m, int depth);

static int letter(struct machine *m, int depth)
{
    m->letters++;
    m->input++;
    TAIL return start(m, depth + 1);
}

static int digit(struct machine *m, int depth)
{
    m->digits++;
    m->input++;
    TAIL return start(m, depth + 1);
}

static int other(struct machine *m, int depth)
{
    m->others++;
    m->input++;
    TAIL return start(m, depth + 1);
}

static int start(struct machine *m, int depth)
{
    m->steps++;
    char c = *m->input;
    if (!c)
        return depth;
    if (c >= 'a' && c <= 'z')
        TAIL return letter(m, depth);
    if (c >= '0' && c <= '9')
        TAIL return digit(m, depth);
    TAIL return other(m, depth);
}

static long gcd(long a, long b)
{
    if (!b)
        return a;
    TAIL return gcd(b, a % b);
}

static unsigned mix(unsigned h, unsigned n)
{
    if (!n)
        return h;
    TAIL return mix((h << 5 | h >> 27) ^ n, n - 1);
}

typedef int (*step)(int, int);
static int finish(int a, int b) { return a * 100 + b; }
static int swap(int a, int b)
{
    step next = b > 9 ? finish : swap;
    TAIL return next(b, a + 1);
}

int main(void)
{
    struct machine m = { "abc 123, x9!", 0, 0, 0, 0 };
    int depth = start(&m, 0);
    printf("depth %d letters %d digits %d others %d steps %d\n", depth, m.letters, m.digits, m.others, m.steps);
    printf("gcd %ld\n", gcd(1071 * 64, 462 * 64));
    printf("mix %08x\n", mix(1, 500));
    printf("swap %d\n", swap(3, 3));
    return depth;
}
