// Multi-precision arithmetic with 32-bit limbs: carries, long multiplication, division by a limb, decimal output.
#include <stdio.h>
#include <stdint.h>
#include <string.h>

enum { LIMBS = 24 };

struct big {
    int n;
    uint32_t limb[LIMBS];
};

static struct big from(uint64_t v)
{
    struct big b = { 2, { (uint32_t)v, (uint32_t)(v >> 32) } };
    while (b.n && !b.limb[b.n - 1])
        b.n--;
    return b;
}

static struct big add(const struct big *a, const struct big *b)
{
    struct big r = { 0, { 0 } };
    uint64_t carry = 0;
    int n = a->n > b->n ? a->n : b->n;
    for (int i = 0; i < n || carry; i++) {
        carry += (uint64_t)(i < a->n ? a->limb[i] : 0) + (i < b->n ? b->limb[i] : 0);
        r.limb[i] = (uint32_t)carry;
        carry >>= 32;
        r.n = i + 1;
    }
    return r;
}

static struct big mul(const struct big *a, const struct big *b)
{
    struct big r = { a->n + b->n, { 0 } };
    for (int i = 0; i < a->n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b->n; j++) {
            carry += (uint64_t)a->limb[i] * b->limb[j] + r.limb[i + j];
            r.limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        r.limb[i + b->n] = (uint32_t)carry;
    }
    while (r.n && !r.limb[r.n - 1])
        r.n--;
    return r;
}

static uint32_t div_small(struct big *a, uint32_t d)
{
    uint64_t rest = 0;
    for (int i = a->n; i-- > 0;) {
        rest = rest << 32 | a->limb[i];
        a->limb[i] = (uint32_t)(rest / d);
        rest %= d;
    }
    while (a->n && !a->limb[a->n - 1])
        a->n--;
    return (uint32_t)rest;
}

static void print(const char *what, struct big b)
{
    uint32_t parts[32];
    int n = 0;
    do
        parts[n++] = div_small(&b, 1000000000);
    while (b.n);
    printf("%s %u", what, parts[--n]);
    while (n)
        printf("%09u", parts[--n]);
    putchar('\n');
}

int main(void)
{
    struct big factorial = from(1), fib[2] = { from(0), from(1) };
    for (uint64_t i = 2; i <= 60; i++) {
        struct big f = from(i);
        factorial = mul(&factorial, &f);
    }
    print("60!", factorial);
    for (int i = 0; i < 300; i++) {
        struct big next = add(&fib[0], &fib[1]);
        fib[0] = fib[1];
        fib[1] = next;
    }
    print("fib", fib[0]);
    struct big power = from(3);
    for (int i = 0; i < 7; i++)
        power = mul(&power, &power);
    print("3^128", power);
    struct big copy = power;
    uint32_t rest = div_small(&copy, 1000003);
    print("divided", copy);
    printf("rest %u limbs %d %d %d\n", rest, factorial.n, fib[0].n, power.n);
    return (int)(rest & 0x7f);
}
