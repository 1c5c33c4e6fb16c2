// C11 atomics: loads, stores, every fetch operation and exchange on types of sizes 1 to 8, and flags.
#include <stdio.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdbool.h>

#define RMW_TEST(NAME, T)                                                                          \
    static uint64_t NAME(T start, T operand)                                                       \
    {                                                                                              \
        _Atomic(T) cell = start;                                                                   \
        uint64_t digest = 5;                                                                       \
        digest = digest * 31 + (uint64_t)atomic_fetch_add(&cell, operand);                         \
        digest = digest * 31 + (uint64_t)atomic_fetch_sub_explicit(&cell, 3, memory_order_relaxed); \
        digest = digest * 31 + (uint64_t)atomic_fetch_or(&cell, 0x50);                             \
        digest = digest * 31 + (uint64_t)atomic_fetch_and_explicit(&cell, 0x7b, memory_order_acquire); \
        digest = digest * 31 + (uint64_t)atomic_fetch_xor_explicit(&cell, operand, memory_order_acq_rel); \
        digest = digest * 31 + (uint64_t)atomic_exchange(&cell, (T)(operand / 2));                 \
        atomic_store_explicit(&cell, (T)(atomic_load(&cell) + 1), memory_order_release);           \
        printf(#NAME " %016llx last %lld\n", (unsigned long long)digest, (long long)atomic_load(&cell)); \
        return digest;                                                                             \
    }

RMW_TEST(on_i8, int8_t)
RMW_TEST(on_u8, uint8_t)
RMW_TEST(on_i16, int16_t)
RMW_TEST(on_u16, uint16_t)
RMW_TEST(on_i32, int32_t)
RMW_TEST(on_u32, uint32_t)
RMW_TEST(on_i64, int64_t)
RMW_TEST(on_u64, uint64_t)

static atomic_int global_counter = 40;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static int cells[4] = { 10, 20, 30, 40 };
static _Atomic(int *) cursor = cells;

int main(void)
{
    uint64_t all = on_i8(100, 77) ^ on_u8(200, 99) ^ on_i16(-30000, -9999) ^ on_u16(65000, 999);
    all ^= on_i32(INT32_MAX, 1) ^ on_u32(UINT32_MAX, 12345) ^ on_i64(INT64_MIN, -1) ^ on_u64(1, UINT64_MAX / 3);
    printf("all %016llx\n", (unsigned long long)all);

    global_counter++;
    global_counter += 5;
    global_counter -= 1;
    global_counter |= 0x100;
    int before = global_counter--;
    printf("counter %d then %d\n", before, global_counter);

    printf("flag %d", atomic_flag_test_and_set(&lock));
    printf(" %d", atomic_flag_test_and_set_explicit(&lock, memory_order_acquire));
    atomic_flag_clear(&lock);
    printf(" %d\n", atomic_flag_test_and_set(&lock));

    int *first = atomic_fetch_add(&cursor, 2);
    printf("cursor %d then %d\n", *first, *atomic_load(&cursor));
    cursor--;
    printf("cursor %d\n", *cursor);
    atomic_bool ready = false;
    bool was = atomic_exchange(&ready, true);
    _Atomic double real = 1.5;
    real = real + 2.25;
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acq_rel);
    printf("bool %d %d double %g lock-free %d\n", was, ready, real, atomic_is_lock_free(&global_counter));
    return global_counter & 0x7f;
}
