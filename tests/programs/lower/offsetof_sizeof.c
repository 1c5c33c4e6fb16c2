// offsetof, sizeof and _Alignof as constants: padding, nested members, array elements, and layouts driven by them.
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct inner {
    char tag;
    double value;
};

struct outer {
    short head;
    struct inner items[3];
    union {
        int number;
        char text[5];
    } u;
    char tail;
};

enum kind { K_CHAR, K_SHORT, K_INT, K_DOUBLE };

struct field {
    const char *name;
    size_t offset;
    enum kind kind;
};

static const struct field fields[] = {
    { "head", offsetof(struct outer, head), K_SHORT },
    { "items[1].tag", offsetof(struct outer, items[1].tag), K_CHAR },
    { "items[2].value", offsetof(struct outer, items[2].value), K_DOUBLE },
    { "u.number", offsetof(struct outer, u.number), K_INT },
    { "tail", offsetof(struct outer, tail), K_CHAR },
};

static void print_field(const void *base, const struct field *f)
{
    const char *at = (const char *)base + f->offset;
    printf("%-15s @%-3zu = ", f->name, f->offset);
    switch (f->kind) {
    case K_CHAR: printf("%c\n", *at); break;
    case K_SHORT: printf("%d\n", *(const short *)at); break;
    case K_INT: printf("%d\n", *(const int *)at); break;
    case K_DOUBLE: printf("%g\n", *(const double *)at); break;
    }
}

_Static_assert(sizeof(struct inner) == 16, "a double aligns the tag");
_Static_assert(offsetof(struct outer, items) == 8, "items follow padding");

int main(void)
{
    struct outer o;
    memset(&o, 0, sizeof o);
    o.head = -7;
    o.items[1].tag = 'q';
    o.items[2].value = 6.25;
    o.u.number = 123456;
    o.tail = 'z';
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        print_field(&o, &fields[i]);
    printf("sizes %zu %zu %zu, aligns %zu %zu\n", sizeof(struct outer), sizeof o.u, sizeof o.items / sizeof *o.items,
           _Alignof(struct outer), _Alignof(struct inner));
    char buffer[offsetof(struct outer, u) + 4];
    memset(buffer, 'x', sizeof buffer);
    printf("buffer %zu, last %c\n", sizeof buffer, buffer[sizeof buffer - 1]);
    printf("basic %zu %zu %zu %zu %zu\n", sizeof 'a', sizeof "four", sizeof(long double), sizeof(void *), sizeof 1.0f);
    return (int)offsetof(struct outer, tail);
}
