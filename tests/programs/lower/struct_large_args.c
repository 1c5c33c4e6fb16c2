// Large structs by value: the callee gets a copy in memory, which it may change without touching the caller's object.
#include <stdio.h>
#include <string.h>

struct matrix {
    double cell[3][3];
};

struct person {
    char name[24];
    int age;
    long scores[4];
    struct {
        char street[10];
        short number;
    } address;
};

struct seventeen {
    char bytes[17];
};

static double trace(struct matrix m)
{
    double t = 0;
    for (int i = 0; i < 3; i++) {
        t += m.cell[i][i];
        m.cell[i][i] = -1;
    }
    return t;
}

static struct matrix multiply(struct matrix a, struct matrix b)
{
    struct matrix r = { { { 0 } } };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                r.cell[i][j] += a.cell[i][k] * b.cell[k][j];
    return r;
}

static long describe(int before, struct person p, char c, struct seventeen s, double after)
{
    p.age += before;
    strcpy(p.name + 1, "xxxx");
    long total = 0;
    for (int i = 0; i < 4; i++)
        total += p.scores[i];
    printf("%s %d %s %d %c %d %.1f\n", p.name, p.age, p.address.street, p.address.number, c, s.bytes[16], after);
    return total;
}

static int depth(int n, struct seventeen s)
{
    if (n == 0)
        return s.bytes[0] + s.bytes[16];
    s.bytes[0]++;
    s.bytes[n]--;
    int below = depth(n - 1, s);
    return below * 2 + s.bytes[n];
}

int main(void)
{
    struct matrix m = { { { 1, 2, 3 }, { 0, 1.5, -1 }, { 2, 0, 0.25 } } };
    printf("trace %.2f then %.2f\n", trace(m), m.cell[1][1]);
    struct matrix square = multiply(m, m);
    for (int i = 0; i < 3; i++)
        printf("%.3f %.3f %.3f\n", square.cell[i][0], square.cell[i][1], square.cell[i][2]);
    printf("nested %.4f\n", trace(multiply(multiply(m, m), m)));

    struct person p = { "Grace", 37, { 10, 20, 30, 1L << 40 }, { "Main", 12 } };
    struct seventeen s;
    for (int i = 0; i < 17; i++)
        s.bytes[i] = (char)(i * 7 - 50);
    printf("total %ld\n", describe(5, p, '#', s, 2.5));
    printf("unchanged %s %d\n", p.name, p.age);
    int d = depth(5, s);
    printf("depth %d, bytes %d %d\n", d, s.bytes[0], s.bytes[5]);
    return d & 0x7f;
}
