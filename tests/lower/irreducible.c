// A loop with two entries becomes a loop with one.
int jump(int c, int n) {
  if (c) goto middle;
  do { n -= 2;
middle: n--; } while (n > 0);
  return n;
}
