// args: -fno-math-errno
// Operations on floats, and calls of the C library's functions for those that are none.
double ops(double a, double b) {
  return __builtin_fabs(a) + __builtin_sqrt(b) + __builtin_floor(a) + __builtin_ceil(a) + __builtin_trunc(a) +
         __builtin_round(a) + __builtin_rint(a) + __builtin_copysign(a, b) + __builtin_fmin(a, b) + __builtin_fmax(a, b);
}
float library(float a, float b) { return __builtin_powf(a, b) + __builtin_sinf(a) + __builtin_fmaf(a, b, a); }
double power(double a, int n) { return __builtin_powi(a, n); }
double contracted(double a, double b, double c) { return a * b + c; }
