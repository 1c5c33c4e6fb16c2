// Differences of labels as table entries, and an address of a label that nothing jumps to.
int pick(int i) {
  static const int offsets[] = { &&a - &&a, &&b - &&a };
  goto *(&&a + offsets[i]);
a: return 1;
b: return 2;
}
void *unused(void) { void *p = &&nowhere; return p; nowhere: return 0; }
