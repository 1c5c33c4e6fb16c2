// volatile and restrict: every volatile access happens in order, restrict pointers copy and accumulate without overlap.
#include <stdio.h>
#include <stddef.h>

static volatile int device = 1;
static volatile struct {
    int status;
    volatile unsigned char data[4];
} port = { 0, { 9, 8, 7, 6 } };

static int poll(int limit)
{
    int reads = 0;
    while (device < limit) {
        device += device;
        reads++;
    }
    return reads;
}

static void add_into(int *restrict to, const int *restrict from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += from[i] * 2;
}

static double dot(size_t n, const double a[restrict n], const double b[restrict static 1])
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void copy_string(char *restrict to, const char *restrict from)
{
    while ((*to++ = *from++))
        ;
}

int main(void)
{
    int reads = poll(100);
    printf("poll %d device %d\n", reads, device);
    device = 10;
    device = device + device;
    int a = device, b = device;
    device++;
    printf("reads %d %d %d\n", a, b, device);

    for (int i = 0; i < 4; i++) {
        port.data[i] ^= 0x0f;
        port.status += port.data[i];
    }
    printf("port %d %d\n", port.status, port.data[3]);
    volatile int *volatile slot = &device;
    *slot *= 2;
    slot = &port.status;
    *slot -= 1;
    printf("slots %d %d\n", device, port.status);
    volatile double v = 0.1;
    v += 0.2;
    printf("double %.17g\n", v);

    int to[6] = { 1, 2, 3, 4, 5, 6 }, from[3] = { 10, 20, 30 };
    add_into(to, from, 3);
    add_into(to + 3, to, 3);
    for (int i = 0; i < 6; i++)
        printf("%d ", to[i]);
    double x[3] = { 1, 2, 3 };
    printf("dot %g\n", dot(3, x, x));
    char text[12];
    copy_string(text, "restricted");
    printf("%s\n", text);
    return port.status;
}
