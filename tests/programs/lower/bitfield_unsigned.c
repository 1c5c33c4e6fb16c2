// Unsigned bit-fields: wrap at their width, increments, compound assignment, neighbors left alone, and 64-bit fields.
#include <stdio.h>
#include <string.h>
#include <stdint.h>

struct date {
    unsigned day : 5;
    unsigned month : 4;
    unsigned year : 12;
    unsigned leap : 1;
};

struct wide {
    uint64_t low : 40;
    uint64_t high : 24;
    uint64_t next : 63;
    uint64_t last : 1;
};

static uint32_t raw(struct date d)
{
    uint32_t v;
    memcpy(&v, &d, sizeof v);
    return v & 0x3fffff;
}

static struct date tomorrow(struct date d)
{
    static const unsigned char days[] = { 0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    if (++d.day > days[d.month] + (d.month == 2 && d.leap)) {
        d.day = 1;
        if (++d.month > 12) {
            d.month = 1;
            d.year++;
            d.leap = d.year % 4 == 0;
        }
    }
    return d;
}

int main(void)
{
    struct date d = { 27, 2, 2024, 1 };
    for (int i = 0; i < 4; i++) {
        printf("%u-%02u-%02u %06x\n", (unsigned)d.year, (unsigned)d.month, (unsigned)d.day, raw(d));
        d = tomorrow(d);
    }
    d = (struct date){ .day = 31, .month = 12, .year = 4095 };
    d = tomorrow(d);
    printf("wrapped %u %u %u %u\n", (unsigned)d.year, (unsigned)d.month, (unsigned)d.day, (unsigned)d.leap);

    d.day = 0x1f;
    d.month -= 5;
    d.year |= 0xf0f;
    d.leap ^= 1;
    printf("compound %06x %u %u\n", raw(d), (unsigned)d.month, (unsigned)d.year);
    unsigned large = 37;
    unsigned assigned = d.day = large;
    unsigned post = d.day++;
    printf("assigned %u, post %u, now %u\n", assigned, post, (unsigned)d.day);

    struct wide w = { 0 };
    w.low = (uint64_t)large << 36 | 0x456789abc;
    w.high = w.low >> 8;
    w.next = ~0ull;
    w.last = w.next;
    w.next <<= 13;
    printf("wide %llx %llx %llx %u size %zu\n", (unsigned long long)w.low, (unsigned long long)w.high,
           (unsigned long long)w.next, (unsigned)w.last, sizeof w);
    w.low += (uint64_t)w.high * 0x10000;
    w.high--;
    printf("wide %llx %llx, sum %llx\n", (unsigned long long)w.low, (unsigned long long)w.high,
           (unsigned long long)((uint64_t)w.low + w.next));
    return (int)(w.low & 0x7f);
}
