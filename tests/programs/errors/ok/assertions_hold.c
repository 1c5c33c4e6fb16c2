// Looks like assert-failure: all assertions hold, also those at the limits of their ranges.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static int root(int v)
{
    assert(v >= 0);
    int r = 0;
    while ((r + 1) * (r + 1) <= v)
        r++;
    assert(r * r <= v && v < (r + 1) * (r + 1));
    return r;
}

int main(void)
{
    printf("%d %d %d\n", root(0), root(1), root(1000));
    int a[] = { 5, 3, 4, 1, 2 };
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4 - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
    for (int i = 0; i < 5; i++)
        assert(a[i] == i + 1);
    assert(strcmp("abc", "abd") < 0);
    unsigned char wrapped = (unsigned char)(200 + 100);
    assert(wrapped == 44);
    printf("held\n");
    return 0;
}
