// Vectors: arithmetic, comparisons, shuffles, element access, masks; loops that the optimizer vectorizes.
typedef int int4 __attribute__((vector_size(16)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef unsigned char byte16 __attribute__((vector_size(16)));
typedef _Bool bool8 __attribute__((ext_vector_type(8)));

int4 constant = {1, -2, 3, -4};
float4 uniform = {1.5f, 1.5f, 1.5f, 1.5f};

int4 blend(int4 a, int4 b, int index) {
  int4 mask = a > b;
  int4 result = (a & mask) | (b & ~mask);
  result[index] = a[index ^ 1] + 1;
  return __builtin_shufflevector(result, constant, 0, 5, -1, 3) << 2;
}

float4 swizzle(float4 v, float scale) {
  float4 reversed = v.wzyx * scale;
  reversed.xz = v.yy;
  return reversed / uniform + (float4)(scale);
}

float4 convert(int4 v, byte16 b) { return __builtin_convertvector(v, float4) + b[3]; }
int count(bool8 bits, int4 v) { return bits[2] + __builtin_reduce_add(v) + __builtin_reduce_max(v); }

void scale(float *restrict to, const float *restrict from, int n, float by) {
  for (int i = 0; i < n; i++)
    to[i] = from[i] > 0 ? from[i] * by : -from[i];
}

unsigned checksum(const unsigned char *bytes, unsigned long n) {
  unsigned total = 0;
  for (unsigned long i = 0; i < n; i++)
    total += (unsigned)bytes[i] * 31 + (bytes[i] >> 3);
  return total;
}

int inlined(const int *values, int n) {
  int best = values[0];
  for (int i = 1; i < n; i++) {
    int each = values[i];
    if (each > best)
      best = each;
  }
  return best + (int)checksum((const unsigned char *)values, (unsigned long)n);
}
