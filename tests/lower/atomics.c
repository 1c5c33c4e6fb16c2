// Atomic accesses: updates are a load, the operation and a store; fences vanish.
int shared;
int add(int x) { return __atomic_fetch_add(&shared, x, __ATOMIC_SEQ_CST); }
int nand(int *p, int x) { return __atomic_fetch_nand(p, x, __ATOMIC_RELAXED); }
int max(int *p, int x) { return __atomic_fetch_max(p, x, __ATOMIC_ACQUIRE); }
_Bool swap(int *p, int expected, int new) {
  return __atomic_compare_exchange_n(p, &expected, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}
void *exchange(void **p, void *q) { __atomic_thread_fence(__ATOMIC_SEQ_CST); return __atomic_exchange_n(p, q, __ATOMIC_SEQ_CST); }
