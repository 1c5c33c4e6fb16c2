// Vectors are their lanes.
typedef int v4 __attribute__((vector_size(16)));
v4 arithmetic(v4 a, v4 b) { return a * b + (a > b); }
v4 choose(v4 a, v4 b) { return __builtin_elementwise_max(a, b); }
int lane(v4 a, int i) { return a[i] + a[2]; }
v4 insert(v4 a, int x, int i) { a[i] = x; a[1] = 7; return a; }
