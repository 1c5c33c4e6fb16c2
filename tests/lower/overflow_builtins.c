// The wrapped result and the test are two instructions.
_Bool add(int a, int b, int *r) { return __builtin_add_overflow(a, b, r); }
_Bool mul(unsigned long a, unsigned long b, unsigned long *r) { return __builtin_mul_overflow(a, b, r); }
_Bool sub(unsigned a, unsigned b, unsigned *r) { return __builtin_sub_overflow(a, b, r); }
