// args: -mavx512f -mavx512vl
// A lane whose bit is 0 accesses nothing: its address is that of a slot that nobody reads.
typedef int v4 __attribute__((vector_size(16)));
typedef int v4u __attribute__((vector_size(16), aligned(1)));
v4 load(const void *p, v4 otherwise, unsigned char m) { return (v4)__builtin_ia32_loaddqusi128_mask(p, otherwise, m); }
void store(void *p, v4 value, unsigned char m) { __builtin_ia32_storedqusi128_mask((v4u *)p, value, m); }
