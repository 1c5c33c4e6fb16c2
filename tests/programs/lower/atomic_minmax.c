// Atomic minimum and maximum, signed and unsigned, and atomics on members, array elements and bit masks.
#include <stdio.h>
#include <stdatomic.h>

#if defined(__clang__)
#define FETCH_MIN(p, v) __atomic_fetch_min(p, v, __ATOMIC_SEQ_CST)
#define FETCH_MAX(p, v) __atomic_fetch_max(p, v, __ATOMIC_SEQ_CST)
#define MAX_FETCH(p, v) __atomic_max_fetch(p, v, __ATOMIC_RELAXED)
#else
#define FETCH_MIN(p, v) ({ __auto_type old = *(p); if ((v) < old) *(p) = (v); old; })
#define FETCH_MAX(p, v) ({ __auto_type old = *(p); if ((v) > old) *(p) = (v); old; })
#define MAX_FETCH(p, v) ({ if ((v) > *(p)) *(p) = (v); *(p); })
#endif

struct statistics {
    char pad;
    atomic_long total;
    atomic_uchar histogram[8];
    atomic_ushort mask;
};

static void record(struct statistics *s, int sample)
{
    atomic_fetch_add(&s->total, sample);
    atomic_fetch_add(&s->histogram[sample & 7], 1);
    atomic_fetch_or(&s->mask, (unsigned short)(1u << (sample & 15)));
}

int main(void)
{
    int samples[] = { 5, -7, 12, -100, 99, 100, 3 };
    int low = 1000, high = -1000, n = sizeof samples / sizeof *samples;
    for (int i = 0; i < n; i++) {
        int old_low = FETCH_MIN(&low, samples[i]);
        int old_high = FETCH_MAX(&high, samples[i]);
        printf("%d: low %d -> %d, high %d -> %d\n", samples[i], old_low, low, old_high, high);
    }
    unsigned top = 0, bottom = ~0u;
    for (int i = 0; i < n; i++) {
        unsigned seen = MAX_FETCH(&top, (unsigned)samples[i]);
        unsigned was = FETCH_MIN(&bottom, (unsigned)samples[i]);
        printf("unsigned %u %u %u\n", seen, was, bottom);
    }
    long long wide = -1;
    long long before = FETCH_MAX(&wide, 1LL << 40);
    printf("wide %lld -> %lld\n", before, wide);

    struct statistics s = { .total = 0 };
    for (int i = 0; i < 300; i++)
        record(&s, i * 7 % 61);
    printf("total %ld mask %04x histogram", (long)s.total, (unsigned)s.mask);
    for (int i = 0; i < 8; i++)
        printf(" %d", s.histogram[i]);
    putchar('\n');
    return (int)(s.total & 0x7f);
}
