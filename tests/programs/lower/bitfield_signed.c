// Signed bit-fields: sign extension on read, truncation on write, comparison, and fields narrower than their values.
#include <stdio.h>

struct sample {
    signed a : 1;
    signed b : 3;
    signed c : 7;
    signed d : 13;
    long long e : 35;
    signed char f : 4;
    short g : 11;
};

static void show(const char *what, const struct sample *s)
{
    printf("%s: %d %d %d %d %lld %d %d\n", what, s->a, s->b, s->c, s->d, (long long)s->e, s->f, s->g);
}

static int weigh(struct sample s)
{
    int w = 0;
    if (s.a < 0)
        w += 1;
    if (s.b > s.c)
        w += 2;
    if (s.d == -4096)
        w += 4;
    if (s.e < -1)
        w += 8;
    return w;
}

int main(void)
{
    struct sample s = { 0 };
    show("zero", &s);
    int values[] = { 1, -1, 3, 4, 63, 64, 4095, 4096, -4096, 1 << 20 };
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        int v = values[i];
        s.a = v & 1 ? -1 : 0;
        s.b = (v & 7) - 4;
        s.c = v % 64;
        s.d = v < 4096 && v >= -4096 ? v : -4096;
        s.e = (long long)v * 12345 - (1LL << 33);
        s.f = (signed char)(v % 8);
        s.g = (short)(v % 1024);
        show("set", &s);
        printf("weigh %d\n", weigh(s));
    }
    s.b = 3;
    s.c = -64;
    s.b -= 5;
    s.c += 100;
    s.d = s.b * s.c;
    s.e >>= 30;
    s.g = (short)-s.g;
    show("compound", &s);
    struct sample array[3] = { { .b = -1 }, s, { .e = -(1LL << 34) } };
    array[0].c = array[1].b;
    array[0].d = (int)(array[2].e >> 22);
    for (int i = 0; i < 3; i++)
        show("array", &array[i]);
    struct sample *p = &array[1];
    p->f = (signed char)(p->f / 2);
    printf("promoted %d %zu\n", -p->b + p->c, sizeof(struct sample));
    return weigh(array[0]) * 16 + weigh(array[2]);
}
