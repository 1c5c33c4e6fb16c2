// Inline assembly without influence on output: memory barriers, no-ops, unused inputs and outputs, clobbers.
#include <stdio.h>

static int shared = 3;

static void barrier(void) { __asm__ volatile("" ::: "memory"); }

static int guarded_sum(const int *a, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i];
        barrier();
    }
    return sum;
}

static void keep(const void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }

static int with_nops(int v)
{
    __asm__ volatile("nop");
    v *= 3;
    __asm__ volatile("nop\n\tnop" ::: "cc");
    return v - 1;
}

static long unused_inputs(long a, long b)
{
    __asm__ volatile("# inputs %0 %1" : : "r"(a), "i"(42));
    __asm__ volatile("# memory %0" : : "m"(b));
    return a * b;
}

static int unused_output(int v)
{
    int ignored;
    __asm__ volatile("xorl %0, %0" : "=r"(ignored) : : "cc");
    (void)ignored;
    return v + 10;
}

static int same_either_way(int v)
{
    __asm__ goto("" : : : : there);
    v += 0;
there:
    return v * 2;
}

__asm__(".globl module_level_symbol\n.set module_level_symbol, 1");

int main(void)
{
    int data[] = { 1, 2, 3, 4, 5 };
    barrier();
    shared = 5;
    barrier();
    printf("shared %d\n", shared);
    printf("sum %d\n", guarded_sum(data, 5));
    keep(data);
    data[2] = 30;
    keep(&data[2]);
    printf("sum %d\n", guarded_sum(data, 5));
    printf("nops %d\n", with_nops(7));
    printf("inputs %ld\n", unused_inputs(1L << 33, 3));
    printf("output %d\n", unused_output(5));
    printf("goto %d\n", same_either_way(21));
    for (volatile int spin = 0; spin < 3; spin++)
        __asm__ volatile("pause");
    printf("end\n");
    return with_nops(shared);
}
