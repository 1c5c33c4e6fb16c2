// Integers of 128 bits travel in two registers.
__int128 mul(__int128 a, __int128 b) { return a * b - 1; }
unsigned long high(unsigned __int128 x) { return x >> 64; }
