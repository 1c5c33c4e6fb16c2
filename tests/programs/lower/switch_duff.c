// Duff's device and other jumps into the middle of a loop body through switch labels.
#include <stdio.h>
#include <string.h>

static void duff_copy(char *to, const char *from, int count)
{
    int rounds = (count + 7) / 8;
    switch (count % 8) {
    case 0:
        do {
            *to++ = *from++;
    case 7: *to++ = *from++;
    case 6: *to++ = *from++;
    case 5: *to++ = *from++;
    case 4: *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
        } while (--rounds > 0);
    }
}

/* A generator: each call resumes where the last one returned. */
struct generator {
    int state, i, j;
};

static int next(struct generator *g)
{
    switch (g->state) {
    case 0:
        for (g->i = 1; g->i <= 3; g->i++) {
            for (g->j = 0; g->j < g->i; g->j++) {
                g->state = 1;
                return g->i * 10 + g->j;
    case 1:;
            }
        }
        g->state = 2;
        return -1;
    default:
        return -2;
    }
}

static int enter_if(int where)
{
    int trace = 0;
    switch (where) {
    case 0:
        trace = trace * 10 + 1;
        if (trace > 100) {
    case 1:
            trace = trace * 10 + 2;
        } else {
    case 2:
            trace = trace * 10 + 3;
        }
    case 3:
        trace = trace * 10 + 4;
        break;
    default:
        trace = -1;
    }
    return trace;
}

int main(void)
{
    const char *source = "abcdefghijklmnopqrstuvwxyz";
    for (int n = 1; n <= 26; n += 3) {
        char target[32];
        memset(target, '.', sizeof target);
        duff_copy(target, source, n);
        target[n + 1] = 0;
        printf("%2d %s\n", n, target);
    }
    struct generator g = { 0, 0, 0 };
    int value, sum = 0;
    while ((value = next(&g)) > 0) {
        printf("%d ", value);
        sum += value;
    }
    printf("end %d %d\n", value, next(&g));
    for (int where = -1; where <= 4; where++)
        printf("enter %d -> %d\n", where, enter_if(where));
    return sum & 0x7f;
}
