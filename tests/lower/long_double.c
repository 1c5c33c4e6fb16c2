// The 80-bit format: 10 bytes of 16.
long double half(long double x) { return x / 2.0L; }
int to_int(long double *x) { return (int)x[1]; }
