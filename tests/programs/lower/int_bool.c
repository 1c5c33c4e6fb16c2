// _Bool: conversion to it from every scalar, storage as one byte, and arithmetic that promotes it.
#include <stdio.h>
#include <stdbool.h>
#include <string.h>

static bool from_int(int v) { return v; }
static bool from_double(double v) { return v; }
static bool from_pointer(const void *p) { return p; }
static bool negate(bool b) { return !b; }

static unsigned char byte_of(bool b)
{
    unsigned char byte;
    memcpy(&byte, &b, 1);
    return byte;
}

struct flags {
    bool a, b;
    _Bool narrow : 1;
    bool c;
};

int main(void)
{
    int values[] = { 0, 1, 2, -1, 256, 0x10000, (int)0x80000000 };
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        printf("from_int %d -> %d byte %u\n", values[i], from_int(values[i]), byte_of(from_int(values[i])));

    printf("from_double %d %d %d %d\n", from_double(0.0), from_double(-0.0), from_double(0.25), from_double(-1e-300));
    printf("from_pointer %d %d\n", from_pointer(NULL), from_pointer(values));
    printf("negate %d %d\n", negate(true), negate(false));

    bool b = true;
    b++;
    printf("increment keeps %d\n", b);
    b--;
    printf("decrement gives %d\n", b);
    b += 5;
    printf("plus five is %d\n", b);
    b ^= 1;
    printf("xor is %d\n", b);

    struct flags f = { .b = 7, .narrow = 4 };
    f.c = f.b & f.narrow;
    f.a = f.b == f.c;
    printf("flags %d %d %d %d size %zu\n", f.a, f.b, f.narrow, f.c, sizeof f);

    bool row[9];
    for (int i = 0; i < 9; i++)
        row[i] = i & (i >> 1);
    int sum = 0;
    for (int i = 0; i < 9; i++)
        sum = sum * 2 + row[i];
    printf("row %x, promoted size %zu, -true %d, ~true %d\n", (unsigned)sum, sizeof(b + b), -(int)row[3], ~(int)row[3]);
    return sum & 0x7f;
}
