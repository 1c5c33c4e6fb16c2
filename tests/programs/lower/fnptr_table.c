// Tables of function pointers: dispatch by index, null entries, structs of operations, compared with names.
#include <stdio.h>
#include <string.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int power(int a, int b) { return b > 0 ? a * power(a, b - 1) : 1; }

typedef int (*binary)(int, int);

static const struct {
    char symbol;
    binary run;
    unsigned char precedence;
} operators[] = { { '+', add, 1 }, { '-', sub, 1 }, { '*', mul, 2 }, { '^', power, 3 }, { 0, NULL, 0 } };

static binary lookup(char symbol)
{
    for (int i = 0; operators[i].run; i++)
        if (operators[i].symbol == symbol)
            return operators[i].run;
    return NULL;
}

struct stream {
    const struct stream_ops *ops;
    int position;
    const char *data;
};

struct stream_ops {
    int (*read)(struct stream *);
    void (*reset)(struct stream *);
    const char *name;
};

static int read_plain(struct stream *s) { return s->data[s->position] ? s->data[s->position++] : -1; }
static int read_upper(struct stream *s)
{
    int c = read_plain(s);
    return c >= 'a' && c <= 'z' ? c - 32 : c;
}
static int read_skip(struct stream *s)
{
    int c;
    do
        c = read_plain(s);
    while (c == ' ');
    return c;
}
static void reset(struct stream *s) { s->position = 0; }

static const struct stream_ops plain = { read_plain, reset, "plain" }, upper = { read_upper, reset, "upper" },
                               skip = { .name = "skip", .reset = reset, .read = read_skip };

int main(void)
{
    const char *expression = "7*6-2^5+1";
    int value = expression[0] - '0';
    for (const char *p = expression + 1; *p; p += 2) {
        binary op = lookup(*p);
        value = op(value, p[1] - '0');
        printf("%c -> %d%s\n", *p, value, op == mul ? " (mul)" : "");
    }
    printf("missing %d\n", lookup('%') == NULL);
    int precedences = 0;
    for (unsigned i = 0; i < sizeof operators / sizeof *operators; i++)
        precedences = precedences * 10 + operators[i].precedence;
    printf("precedences %d\n", precedences);

    struct stream s = { &plain, 0, "two words here" };
    const struct stream_ops *kinds[] = { &plain, &upper, &skip };
    for (int i = 0; i < 3; i++) {
        s.ops = kinds[i];
        s.ops->reset(&s);
        printf("%s: ", s.ops->name);
        for (int c; (c = s.ops->read(&s)) != -1;)
            putchar(c);
        putchar('\n');
    }
    binary swap[2] = { add, sub };
    for (int i = 0; i < 4; i++)
        printf("%d ", (i & 1 ? *swap[1] : **swap)(10, i));
    printf("same %d %d\n", swap[0] == &add, plain.reset == skip.reset);
    return value & 0x7f;
}
