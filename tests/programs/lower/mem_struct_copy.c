// Struct and array copies the compiler makes: assignment, self-assignment, swaps, arrays in structs, copies in loops.
#include <stdio.h>
#include <string.h>

struct small { char c; };
struct medium { int a; char b; short c; long d; };
struct big { int id; double values[20]; struct medium inner[3]; };
struct array_wrapper { short cells[7]; };

static void swap_big(struct big *a, struct big *b)
{
    struct big t = *a;
    *a = *b;
    *b = t;
}

static struct array_wrapper reversed(struct array_wrapper w)
{
    struct array_wrapper r;
    for (int i = 0; i < 7; i++)
        r.cells[i] = w.cells[6 - i];
    return r;
}

static void sort_medium(struct medium *m, int n)
{
    for (int i = 1; i < n; i++) {
        struct medium key = m[i];
        int j = i;
        for (; j > 0 && m[j - 1].a > key.a; j--)
            m[j] = m[j - 1];
        m[j] = key;
    }
}

int main(void)
{
    struct big x, y;
    memset(&x, 0, sizeof x);
    memset(&y, 0, sizeof y);
    x.id = 1;
    y.id = 2;
    for (int i = 0; i < 20; i++) {
        x.values[i] = i;
        y.values[i] = -i / 2.0;
    }
    x.inner[2] = (struct medium){ 7, 'm', -3, 1L << 40 };
    y.inner[0] = x.inner[2];
    y.inner[0].a++;
    swap_big(&x, &y);
    printf("swapped %d %d %g %g %d %ld\n", x.id, y.id, x.values[19], y.values[19], x.inner[0].a, y.inner[2].d);
    struct big *p = &x;
    *p = x;
    printf("self %d %g\n", x.id, x.values[7]);
    x.inner[1] = x.inner[0];
    x.inner[0].b = 'z';
    printf("inner %c %c\n", x.inner[0].b, x.inner[1].b);

    struct array_wrapper w = { { 1, 2, 3, 4, 5, 6, 7 } }, r = reversed(w);
    w = reversed(reversed(r));
    printf("reversed %d %d %d\n", r.cells[0], w.cells[0], reversed(w).cells[2]);

    struct medium list[6];
    for (int i = 0; i < 6; i++)
        list[i] = (struct medium){ i * 5 % 6, (char)('a' + i), (short)-i, i * 1000L };
    sort_medium(list, 6);
    for (int i = 0; i < 6; i++)
        printf("%d%c%d:%ld ", list[i].a, list[i].b, list[i].c, list[i].d);
    putchar('\n');
    struct small s = { 'q' }, t = s, u = t;
    u.c++;
    printf("small %c %c\n", t.c, u.c);
    struct big chain[3];
    chain[2] = chain[1] = chain[0] = y;
    chain[1].values[3] = 33;
    printf("chain %g %g %g\n", chain[0].values[3], chain[1].values[3], chain[2].values[3]);
    return list[5].b;
}
