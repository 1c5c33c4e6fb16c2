// A condition per lane.
typedef int v4 __attribute__((vector_size(16)));
v4 choose(v4 m, v4 a, v4 b) { return m ? a : b; }
