// Classes of floats are intervals of their bits.
int special(double x) { return __builtin_isnan(x) + 2 * __builtin_isinf(x) + 4 * __builtin_isnormal(x); }
int sign(float x) { return __builtin_signbit(x); }
