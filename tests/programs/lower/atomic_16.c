// Sixteen-byte atomics with cmpxchg16b: compare-and-swap and fetch-add on __int128 and on a pointer with version.
// flags: -mcx16
#include <stdio.h>
#include <stdint.h>

typedef unsigned __int128 u128;

static void show(const char *what, u128 v)
{
    printf("%s %016llx:%016llx\n", what, (unsigned long long)(v >> 64), (unsigned long long)v);
}

static u128 fetch_add(u128 *cell, u128 operand)
{
    u128 seen = *cell;
    for (;;) {
        u128 previous = __sync_val_compare_and_swap(cell, seen, seen + operand);
        if (previous == seen)
            return previous;
        seen = previous;
    }
}

union tagged {
    u128 whole;
    struct {
        const char *pointer;
        uint64_t version;
    };
};

static _Alignas(16) union tagged head;

static int replace(const char *pointer)
{
    union tagged seen, wanted;
    seen.whole = head.whole;
    wanted.pointer = pointer;
    wanted.version = seen.version + 1;
    return __sync_bool_compare_and_swap(&head.whole, seen.whole, wanted.whole);
}

int main(void)
{
    _Alignas(16) u128 cell = (u128)1 << 64 | 0xffffffffffffffffull;
    show("old", fetch_add(&cell, 1));
    show("new", cell);
    show("old", fetch_add(&cell, (u128)0xffffffffffffffffull << 64));
    show("new", cell);
    int ok = __sync_bool_compare_and_swap(&cell, (u128)5, (u128)6);
    printf("mismatch %d\n", ok);
    show("kept", cell);
    ok = __sync_bool_compare_and_swap(&cell, cell, ~(u128)0);
    printf("match %d\n", ok);
    show("set", cell);
    u128 previous = __sync_val_compare_and_swap(&cell, ~(u128)0, (u128)7 << 100);
    show("previous", previous);
    show("set", cell);

    const char *texts[] = { "first", "second", "third" };
    for (int i = 0; i < 3; i++) {
        ok = replace(texts[i]);
        printf("replace %d %s version %llu\n", ok, head.pointer, (unsigned long long)head.version);
    }
    return (int)head.version * 10 + ok;
}
