// Compound literals: of scalars, arrays and structs, modified through their address, nested, and rebuilt in loops.
#include <stdio.h>
#include <string.h>

struct vec { int x, y; };
struct line { struct vec from, to; const char *label; };

static int dot(const struct vec *a, const struct vec *b) { return a->x * b->x + a->y * b->y; }

static int sum(const int *values, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += values[i];
    return total;
}

static struct line shifted(struct line l, int by)
{
    return (struct line){ .label = l.label,
                          .from = { l.from.x + by, l.from.y },
                          .to = (struct vec){ l.to.x, l.to.y + by } };
}

static const int *const primes = (const int[]){ 2, 3, 5, 7, 11, 0 };
static struct vec *origin = &(struct vec){ 100, 200 };

int main(void)
{
    printf("dot %d\n", dot(&(struct vec){ 3, 4 }, &(struct vec){ .y = 10 }));
    printf("sum %d %d\n", sum((int[]){ 1, 2, 3, 4 }, 4), sum((int[5]){ [2] = 9 }, 5));
    int *p = (int[]){ 5, 6, 7 };
    p[1] *= 10;
    p += 1;
    printf("pointer %d %d %d\n", p[-1], p[0], p[1]);

    int total = 0;
    for (int i = 0; i < 4; i++) {
        struct vec *v = &(struct vec){ i, total };
        v->y += i;
        total += v->x * v->y + 1;
        printf("loop %d %d %d\n", v->x, v->y, total);
    }
    struct line l = shifted((struct line){ { 1, 2 }, { 3, 4 }, "edge" }, 10);
    printf("%s (%d,%d)-(%d,%d)\n", l.label, l.from.x, l.from.y, l.to.x, l.to.y);
    struct line lines[] = { l, (struct line){ l.to, l.from, "back" }, { .label = "zero" } };
    for (unsigned i = 0; i < 3; i++)
        printf("%s %d\n", lines[i].label, dot(&lines[i].from, &lines[i].to));

    char *text = (char[]){ "editable" };
    text[0] = 'E';
    printf("%s %zu\n", text, sizeof(char[]){ "size" });
    for (const int *q = primes; *q; q++)
        total += *q;
    origin->x += total;
    printf("origin %d %d, scalar %d\n", origin->x, origin->y, ++(int){ 41 });
    const char *name = total > 50 ? (const char[]){ "large" } : (const char[]){ "small" };
    printf("%s\n", name);
    return total;
}
