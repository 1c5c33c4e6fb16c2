// args: --target=powerpc64-linux-gnu
// Big-endian machines have the first lane highest.
typedef short v4s __attribute__((vector_size(8)));
long whole(v4s *a) { return (long)*a; }
v4s apart(long x) { return (v4s)x; }
int table[2] = {1, 0x01020304};
