// Operations on bits.
int counts(unsigned x, unsigned long y) {
  return __builtin_popcount(x) + __builtin_clz(x) + __builtin_ctzl(y) + __builtin_ffs(x) + __builtin_parity(x);
}
unsigned long swaps(unsigned short a, unsigned b, unsigned long c) {
  return __builtin_bswap16(a) + __builtin_bswap32(b) + __builtin_bitreverse64(c);
}
unsigned rotate(unsigned x, int n) { return __builtin_rotateleft32(x, n) + __builtin_rotateright32(x, 3); }
