// Arithmetic that stops at the ends of the range, smallest and largest, absolute value.
int sat(int a, int b) { return __builtin_elementwise_add_sat(a, b) + __builtin_elementwise_sub_sat(a, b); }
unsigned extrema(unsigned a, unsigned b) { return __builtin_elementwise_max(a, b) - __builtin_elementwise_min(a, b); }
int absolute(int a) { return __builtin_elementwise_abs(a); }
