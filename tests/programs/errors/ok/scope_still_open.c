// Looks like use-after-scope: addresses of locals are used by callees and in inner blocks while the objects live.
#include <stdio.h>

static int *registered;

static void watch(int *target) { registered = target; }
static int poll(void) { return *registered; }

static int longest(const int *values, int n)
{
    const int *best = &values[0];
    for (int i = 1; i < n; i++) {
        int current = values[i];
        if (current > *best)
            best = &values[i];
    }
    return *best;
}

static int *first(int *values) { return values; }

int main(void)
{
    int outer = 3;
    int *p = NULL;
    {
        int inner = 4;
        p = &inner;
        outer += *p;
        p = &outer;
    }
    watch(p);
    outer++;
    printf("%d\n", poll());
    int values[3] = { 3, 9, 2 };
    printf("%d %d\n", longest(values, 3), *first(values));
    for (int i = 0; i < 2; i++) {
        static int kept;
        kept += i;
        p = &kept;
    }
    printf("%d\n", *p);
    return 0;
}
