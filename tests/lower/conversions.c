// Integer and float conversions.
long widen(int a, unsigned b, signed char c, _Bool d) { return a + (long)b + c + d; }
unsigned char narrow(long a) { return (unsigned char)a; }
int from_float(double a, float b) { return (int)a + (int)(unsigned)b; }
double to_float(int a, unsigned long b, float c) { return a + (double)b + c; }
