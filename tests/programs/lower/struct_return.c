// Structs returned by value: in one or two registers of either class, and through a hidden pointer for large ones.
#include <stdio.h>

struct byte1 { unsigned char v; };
struct bytes3 { unsigned char v[3]; };
struct five { char v[5]; };
struct ints2 { int a, b; };
struct ints3 { int a, b, c; };
struct fd { float f; double d; };
struct di { double d; int i; };
struct id { int i; double d; };
struct ff { float a, b, c, d; };
struct big { int v[9]; };
struct ptrs { const char *s; long n; };

static struct byte1 make_byte(int v) { return (struct byte1){ (unsigned char)v }; }
static struct bytes3 make_bytes(int v)
{
    struct bytes3 b = { { (unsigned char)v, (unsigned char)(v >> 8), (unsigned char)(v >> 16) } };
    return b;
}
static struct five make_five(char c) { return (struct five){ { c, c, 'z', c, 0 } }; }
static struct ints2 make2(int a) { return (struct ints2){ a, ~a }; }
static struct ints3 make3(int a) { return (struct ints3){ a, a * a, -a }; }
static struct fd make_fd(float f) { return (struct fd){ f, f * 2.5 }; }
static struct di make_di(int i) { return (struct di){ i / 4.0, i }; }
static struct id make_id(int i) { return (struct id){ i, i / 8.0 }; }
static struct ff make_ff(float f) { return (struct ff){ f, f + 1, f + 2, f + 3 }; }
static struct ptrs make_ptrs(const char *s, long n) { return (struct ptrs){ s + n, n }; }

static struct big make_big(int seed)
{
    struct big b;
    for (int i = 0; i < 9; i++)
        b.v[i] = seed * (i + 1);
    return b;
}

static struct big choose(int which, struct big a, struct big b) { return which ? a : b; }

int main(void)
{
    printf("byte %d\n", make_byte(0x1ff).v);
    struct bytes3 b = make_bytes(0xabcdef);
    printf("bytes %x %x %x\n", b.v[0], b.v[1], b.v[2]);
    printf("five %s\n", make_five('q').v);
    struct ints2 i2 = make2(1234567);
    printf("ints2 %d %d\n", i2.a, i2.b);
    struct ints3 i3 = make3(-321);
    printf("ints3 %d %d %d\n", i3.a, i3.b, i3.c);
    struct fd fd = make_fd(1.5f);
    printf("fd %.3f %.3f\n", (double)fd.f, fd.d);
    struct di di = make_di(-7);
    printf("di %.3f %d\n", di.d, di.i);
    struct id id = make_id(99);
    printf("id %d %.4f\n", id.i, id.d);
    struct ff ff = make_ff(0.5f);
    printf("ff %.1f %.1f %.1f %.1f\n", (double)ff.a, (double)ff.b, (double)ff.c, (double)ff.d);
    printf("ptrs %s\n", make_ptrs("hello world", 6).s);
    struct big one = make_big(3), two = make_big(-4);
    one = choose(0, one, two);
    two = choose(1, make_big(11), two);
    printf("big %d %d %d\n", one.v[8], two.v[0], make_big(5).v[4]);
    return make2(-43).b;
}
