// Integers of many widths, floats of every format, conversions, constants with all their bits.
typedef unsigned __int128 wide;
typedef _BitInt(77) odd_width;

wide big = ((wide)0x123456789abcdef0 << 64) | 0xfedcba9876543210;
odd_width odd = -5;
long double pi = 3.14159265358979323846264338327950288L;
_Float16 half = 1.5f16;
__float128 quad = 1.0Q / 3;
double special[] = {0.0, -0.0, 1e308 * 10, __builtin_nan("7"), 4.9e-324};
float _Complex rotation = 1.0f + 2.0if;

wide multiply(wide a, unsigned long b) { return a * b + (a >> 100) - (wide)-3; }
odd_width shift(odd_width a, int n) { return (a << n) ^ (a >> 3) ^ ((odd_width)1 << 76); }

double convert(int i, unsigned long u, float f, long double l, _Float16 h) {
  signed char narrow = (signed char)i;
  _Bool flag = i;
  double result = i + u + f + (double)l + h;
  result -= (unsigned)f;
  result *= (long)result;
  return result + narrow + flag + (result > u ? -f : +f) + (f != f) + !(l < 2.0L);
}

double _Complex times(double _Complex a, double _Complex b) { return a * b + rotation; }

#pragma clang fp contract(fast) reassociate(on)
float fast(const float *a, int n) {
  float total = 0;
  for (int i = 0; i < n; i++)
    total += a[i] * a[i] / 3.0f;
  return total;
}

int overflow(int a, int b) {
  int result;
  if (__builtin_mul_overflow(a, b, &result) || __builtin_add_overflow(a, b, &result))
    return -1;
  return result / (b | 1) % 7 + (a >> 2) + (int)((unsigned)b >> 3) + __builtin_popcount(a) + __builtin_clz(b);
}
