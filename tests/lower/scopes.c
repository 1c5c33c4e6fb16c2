// A variable in braces lives as long as its scope; memory that does not leave is promoted.
void use(int *);
int scopes(int c) {
  if (c) { int inner = 1; use(&inner); }
  { int other; use(&other); return other; }
}
