// One memory, several types: nothing is promoted.
union number { int i; float f; unsigned char bytes[4]; };
int bits_of(float f) { union number n; n.f = f; return n.i + n.bytes[3]; }
