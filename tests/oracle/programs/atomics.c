// Atomic accesses with all orderings, volatile accesses, fences, thread-local variables.
#include <stdatomic.h>

_Thread_local int counter = 3;
static __thread long hidden __attribute__((tls_model("local-exec")));
_Atomic int shared;
_Atomic(struct pair { int a, b; }) both;
volatile unsigned device;
atomic_flag lock = ATOMIC_FLAG_INIT;

int update(int by) {
  atomic_fetch_add(&shared, by);
  atomic_fetch_sub_explicit(&shared, 1, memory_order_relaxed);
  atomic_fetch_xor_explicit(&shared, by, memory_order_acq_rel);
  shared &= 7;
  int expected = atomic_load_explicit(&shared, memory_order_acquire);
  while (!atomic_compare_exchange_weak_explicit(&shared, &expected, expected + 1, memory_order_release, memory_order_relaxed))
    ;
  atomic_compare_exchange_strong(&shared, &expected, 9);
  atomic_store_explicit(&shared, expected, memory_order_release);
  return atomic_exchange(&shared, 0);
}

void fences(void) {
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_acquire);
  while (atomic_flag_test_and_set(&lock))
    ;
  atomic_flag_clear(&lock);
}

long touch(void) {
  device = device | 1;
  struct pair p = both;
  both = (struct pair){p.b, p.a};
  __atomic_fetch_max(&counter, 5, __ATOMIC_SEQ_CST);
  return counter++ + hidden++ + p.a;
}
