// Vectors of bits are packed in memory.
typedef _Bool mask __attribute__((ext_vector_type(12)));
mask both(mask *a, mask b) { return *a & b; }
void put(mask *m, int i) { (*m)[i] = 1; }
