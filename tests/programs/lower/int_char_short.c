// char and short, signed and unsigned: promotion, truncation on assignment, sign extension, compound assignment.
#include <stdio.h>
#include <limits.h>

static char id_char(char c) { return c; }
static signed char id_schar(signed char c) { return c; }
static unsigned char id_uchar(unsigned char c) { return c; }
static short id_short(short s) { return s; }
static unsigned short id_ushort(unsigned short s) { return s; }

static void show(const char *what, int v) { printf("%-10s %d %#x\n", what, v, (unsigned)v); }

int main(void)
{
    for (int v = -300; v <= 70000; v += 4987) {
        show("char", id_char((char)v));
        show("schar", id_schar((signed char)v));
        show("uchar", id_uchar((unsigned char)v));
        show("short", id_short((short)v));
        show("ushort", id_ushort((unsigned short)v));
    }

    unsigned char wrap = 250;
    for (int i = 0; i < 10; i++)
        wrap += 3;
    show("wrap", wrap);

    signed char down = -120;
    for (int i = 0; i < 5; i++)
        down -= 7;
    show("down", down);

    unsigned char shifted = 0xC3;
    shifted <<= 3;
    show("shl", shifted);
    shifted = (unsigned char)~shifted;
    show("not", shifted);
    shifted >>= 2;
    show("shr", shifted);

    short product = 300;
    product *= 300;
    show("product", product);
    unsigned short us = 40000;
    us = (unsigned short)(us + us);
    show("us", us);
    show("us-less", us < id_short(-1));
    show("us-equal", (unsigned short)65535 == (unsigned short)-1);

    char text[4] = { 'a', (char)0xff, 0x7f, (char)0x80 };
    for (int i = 0; i < 4; i++)
        show("text", text[i]);
    show("limits", CHAR_MIN + SCHAR_MIN + SHRT_MIN + UCHAR_MAX + USHRT_MAX);
    return (unsigned char)product;
}
