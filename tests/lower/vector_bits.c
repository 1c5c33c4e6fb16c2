// The same bits as other lanes: little-endian machines have the first lane lowest.
typedef short v4s __attribute__((vector_size(8)));
typedef int v2i __attribute__((vector_size(8)));
long whole(v4s a) { return (long)a; }
v2i regroup(v4s a) { return (v2i)a; }
v4s apart(long x) { return (v4s)x; }
