// A union of a pointer and an integer: pointers written as one member and read as the other, and bytes of both.
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

union word {
    void *pointer;
    char *text;
    uintptr_t bits;
    uint32_t half[2];
    unsigned char byte[8];
};

struct cell {
    union word w;
    int is_pointer;
};

static struct cell from_int(uintptr_t v)
{
    struct cell c;
    c.w.bits = v;
    c.is_pointer = 0;
    return c;
}

static struct cell from_text(const char *s)
{
    struct cell c;
    size_t n = strlen(s) + 1;
    c.w.pointer = malloc(n);
    if (!c.w.pointer)
        exit(99);
    memcpy(c.w.pointer, s, n);
    c.is_pointer = 1;
    return c;
}

static void show(struct cell c)
{
    if (c.is_pointer)
        printf("text %s\n", c.w.text);
    else
        printf("bits %lx low %x high %x byte3 %02x\n", (unsigned long)c.w.bits, c.w.half[0], c.w.half[1], c.w.byte[3]);
}

int main(void)
{
    struct cell cells[4] = { from_int(0x1122334455667788), from_text("union"), from_int(0), from_text("pointer") };
    for (int i = 0; i < 4; i++)
        show(cells[i]);

    union word u;
    u.pointer = cells[1].w.pointer;
    u.bits += 2;
    printf("advanced %s\n", u.text);
    *u.text = 'I';
    u.bits -= 2;
    printf("same %d %s\n", u.pointer == cells[1].w.pointer, u.text);

    union word v;
    for (int i = 0; i < 8; i++)
        v.byte[i] = u.byte[i];
    printf("bytes %s\n", v.text);
    v.half[0] = u.half[0];
    v.half[1] = u.half[1];
    printf("halves %c\n", v.text[4]);

    u.pointer = NULL;
    printf("null %lx\n", (unsigned long)u.bits);
    int pointers = 0;
    for (int i = 0; i < 4; i++)
        if (cells[i].is_pointer) {
            pointers++;
            free(cells[i].w.pointer);
        }
    return pointers;
}
