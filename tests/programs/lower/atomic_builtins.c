// __sync and __atomic builtins: fetch-then-op and op-then-fetch forms, nand, swaps, and sizes 1 to 8.
#include <stdio.h>
#include <stdint.h>

#define SYNC_TEST(NAME, T)                                                            \
    static void NAME(T value)                                                         \
    {                                                                                 \
        T cell = value;                                                               \
        printf(#NAME);                                                                \
        printf(" %lld", (long long)__sync_fetch_and_add(&cell, (T)7));                \
        printf(" %lld", (long long)__sync_add_and_fetch(&cell, (T)7));                \
        printf(" %lld", (long long)__sync_fetch_and_sub(&cell, (T)100));              \
        printf(" %lld", (long long)__sync_sub_and_fetch(&cell, (T)1));                \
        printf(" %lld", (long long)__sync_fetch_and_or(&cell, (T)0x41));              \
        printf(" %lld", (long long)__sync_and_and_fetch(&cell, (T)0x6f));             \
        printf(" %lld", (long long)__sync_xor_and_fetch(&cell, (T)-1));               \
        printf(" %lld", (long long)__atomic_nand_fetch(&cell, (T)0x3c, __ATOMIC_SEQ_CST)); \
        printf(" %lld", (long long)__atomic_fetch_nand(&cell, (T)0x55, __ATOMIC_RELAXED)); \
        printf(" %lld", (long long)__atomic_or_fetch(&cell, (T)3, __ATOMIC_ACQ_REL)); \
        printf(" %lld", (long long)__sync_lock_test_and_set(&cell, (T)9));            \
        printf(" %lld\n", (long long)cell);                                           \
        __sync_lock_release(&cell);                                                   \
        if (cell)                                                                     \
            puts("lock release must store zero");                                     \
    }

SYNC_TEST(s8, int8_t)
SYNC_TEST(u8, uint8_t)
SYNC_TEST(s16, int16_t)
SYNC_TEST(s32, int32_t)
SYNC_TEST(u32, uint32_t)
SYNC_TEST(s64, int64_t)
SYNC_TEST(u64, uint64_t)

struct pair {
    _Alignas(8) int32_t a;
    int32_t b;
};

int main(void)
{
    s8(120);
    u8(250);
    s16(32767);
    s32(INT32_MIN);
    u32(5);
    s64(INT64_MAX);
    u64(0);

    int value = 1, loaded, swapped = 77;
    __atomic_load(&value, &loaded, __ATOMIC_ACQUIRE);
    __atomic_store_n(&value, loaded + 10, __ATOMIC_RELEASE);
    __atomic_exchange(&value, &swapped, &loaded, __ATOMIC_SEQ_CST);
    printf("generic %d %d %d\n", value, loaded, swapped);

    struct pair p = { 1, 2 }, q = { 3, 4 }, r;
    __atomic_exchange(&p, &q, &r, __ATOMIC_SEQ_CST);
    printf("struct %d %d, was %d %d\n", p.a, p.b, r.a, r.b);

    char *text = "atomics", *old = __atomic_fetch_add(&text, 3, __ATOMIC_SEQ_CST);
    printf("pointer %s %s\n", old, text);
    _Bool flag = 0;
    printf("test-and-set %d", __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    printf(" %d", __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    __atomic_clear(&flag, __ATOMIC_RELEASE);
    printf(" %d\n", flag);
    __sync_synchronize();
    return __atomic_add_fetch(&value, 1, __ATOMIC_RELAXED);
}
