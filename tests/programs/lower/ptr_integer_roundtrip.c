// Pointers converted to integers and back: alignment of addresses, arithmetic on the integer, member offsets.
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>

struct record {
    char name[12];
    int id;
    double weight;
};

static int *advance(int *p, int count)
{
    uintptr_t address = (uintptr_t)p;
    address += (uintptr_t)count * sizeof(int);
    return (int *)address;
}

static void *align_up(void *p, uintptr_t alignment)
{
    return (void *)(((uintptr_t)p + alignment - 1) & ~(alignment - 1));
}

static int misaligned(const void *p, unsigned alignment) { return (uintptr_t)p % alignment != 0; }

static _Alignas(64) char cache_line[64];

int main(void)
{
    int numbers[8] = { 10, 11, 12, 13, 14, 15, 16, 17 };
    printf("advance %d %d\n", *advance(numbers, 5), *advance(numbers + 7, -7));
    intptr_t gap = (intptr_t)&numbers[6] - (intptr_t)&numbers[1];
    printf("gap %ld\n", (long)gap);

    struct record r = { "widget", 42, 2.5 };
    uintptr_t base = (uintptr_t)&r;
    int *id = (int *)(base + ((uintptr_t)&r.id - base));
    *id += 100;
    double *weight = (double *)((uintptr_t)&r.weight);
    *weight *= 2;
    printf("record %d %.1f offset %u\n", r.id, r.weight, (unsigned)((uintptr_t)&r.weight - base));

    char *raw = malloc(200);
    if (!raw)
        return 99;
    printf("malloc aligned %d\n", misaligned(raw, 16));
    long *aligned = align_up(raw + 1, 32);
    aligned[0] = 0x123456789abcdefL;
    aligned[1] = -aligned[0];
    int inside = (char *)aligned > raw && (char *)aligned < raw + 64;
    printf("aligned %d inside %d value %lx\n", misaligned(aligned, 32), inside, (unsigned long)aligned[1]);
    free(raw);

    double local;
    short half;
    local = half = 3;
    printf("locals %d %d %d %.1f\n", misaligned(&local, 8), misaligned(&half, 2), misaligned(cache_line, 64),
           local + half);
    void *block = aligned_alloc(128, 256);
    printf("aligned_alloc %d\n", misaligned(block, 128));
    free(block);
    uint32_t low = (uint32_t)(uintptr_t)numbers, high = (uint32_t)((uintptr_t)numbers >> 32);
    int *joined = (int *)((uintptr_t)high << 32 | low);
    printf("joined %d %d\n", joined == numbers, joined[3]);
    printf("null %d\n", (uintptr_t)(void *)0 == 0);
    return joined[4];
}
