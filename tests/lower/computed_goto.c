// Labels as values: a table of addresses and an indirect jump.
int run(const unsigned char *code) {
  static const void *const table[] = { &&inc, &&dec, &&end };
  int x = 0;
  goto *table[*code++];
inc: x++; goto *table[*code++];
dec: x--; goto *table[*code++];
end: return x;
}
