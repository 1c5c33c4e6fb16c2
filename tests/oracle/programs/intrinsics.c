// Builtins that become intrinsics, bundles, constrained floating point, type-based attributes, wide switch tables.
#include <math.h>
#include <setjmp.h>
#include <stddef.h>

#pragma STDC FENV_ACCESS ON
double strict(double a, double b) { return a * b + sqrt(a) - floor(b); }
#pragma STDC FENV_ACCESS OFF

static jmp_buf point;
int jump(int n) {
  volatile int kept = n;
  if (setjmp(point))
    return kept;
  longjmp(point, 1);
}

unsigned long bits(unsigned long x, unsigned char *p, int n) {
  unsigned long *aligned = __builtin_assume_aligned(p, 32, 8);
  __builtin_prefetch(p + 64, 1, 3);
  x = __builtin_bswap64(x) + __builtin_rotateleft64(x, 7) + (unsigned long)__builtin_ctzl(x);
  x += __builtin_object_size(p, 1) + __builtin_dynamic_object_size(aligned, 0) + (unsigned long)__builtin_constant_p(n);
  x += (unsigned long)__builtin_readcyclecounter() + __builtin_bitreverse32((unsigned)x);
  if (__builtin_unpredictable(n > 3))
    __builtin_trap();
  __builtin_memmove(p, p + 1, (size_t)n);
  __builtin_memcpy_inline(p, p + 32, 16);
  return x + *aligned;
}

struct tail { int n; char text[]; };
size_t offsets(struct tail *t, int i) {
  _Static_assert(offsetof(struct tail, text) == 4, "layout");
  return (size_t)(&t->text[i] - (char *)t) + offsetof(struct tail, text);
}

double libm(double x, float y) {
  return fabs(x) + fmin(x, y) + copysign(x, y) + (double)lrint(x) + powf(y, 2.0f) + __builtin_isnan(x) + __builtin_isinf_sign(y);
}

int saturate(int a, unsigned b) { return __builtin_elementwise_add_sat(a, 5) + (int)__builtin_elementwise_abs(a) + (int)b; }
