// __int128, signed and unsigned: arithmetic, shifts, comparison, division, conversion, passing, returning and arrays.
#include <stdio.h>
#include <stdint.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(const char *what, u128 v)
{
    printf("%-8s %016llx%016llx\n", what, (unsigned long long)(v >> 64), (unsigned long long)v);
}

static void show_decimal(i128 v)
{
    char text[48];
    int at = sizeof text - 1;
    u128 rest = v < 0 ? -(u128)v : (u128)v;
    text[at] = 0;
    do {
        text[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest);
    if (v < 0)
        text[--at] = '-';
    puts(text + at);
}

static u128 make(uint64_t high, uint64_t low) { return (u128)high << 64 | low; }

static i128 mul_add(int a, i128 b, char c, i128 d) { return a * b + c * d; }

struct holder {
    char tag;
    i128 value;
};

static struct holder wrap(char tag, i128 value) { return (struct holder){ tag, value }; }

int main(void)
{
    u128 a = make(0x0123456789abcdefull, 0xfedcba9876543210ull), b = make(7, 0xffffffffffffffffull);
    show("a", a);
    show("sum", a + b);
    show("diff", b - a);
    show("product", a * b);
    show("quot", a / b);
    show("rem", a % b);
    show("not", ~a ^ (a & b) ^ (a | b));
    for (int n = 0; n < 128; n += 21) {
        show("shl", a << n);
        show("shr", a >> n);
        show("sar", (u128)((i128)~a >> n));
    }
    i128 negative = -(i128)a;
    show("neg/1e9", (u128)(negative / 1000000007));
    show("neg%1e9", (u128)(negative % 1000000007));
    printf("compare %d %d %d %d\n", negative < 0, (u128)negative < a, negative < (i128)b, a == make(1, 1));
    show_decimal(negative);
    show_decimal((i128)make(0x7fffffffffffffffull, ~0ull));
    show_decimal(mul_add(-3, negative, 5, (i128)b));

    i128 table[3] = { 1, -1, (i128)b };
    i128 total = 0;
    for (int i = 0; i < 3; i++)
        total += table[i] * (i + 1);
    show_decimal(total);
    struct holder h = wrap('x', total * 987654321);
    printf("%c size %zu align %zu\n", h.tag, sizeof h, _Alignof(struct holder));
    show_decimal(h.value);
    printf("to double %.1f %.6e, from double ", (double)total, (double)a);
    show_decimal((i128)-1e30);
    printf("narrow %d %lld\n", (int)a, (long long)(a >> 32));
    return (int)(a % 251);
}
