// Lanes of two vectors in another order; an undefined lane is poison.
typedef float v4 __attribute__((vector_size(16)));
v4 shuffle(v4 a, v4 b) { return __builtin_shufflevector(a, b, 0, 5, 3, -1); }
float sum(v4 a) { return __builtin_reduce_max(a) + a[0]; }
int all(int __attribute__((vector_size(16))) m) { return __builtin_reduce_and(m); }
