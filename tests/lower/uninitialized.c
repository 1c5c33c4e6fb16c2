// Reads before any assignment stay visible, with the variable's name.
int never(void) { int x; return x; }
int sometimes(int c) { int x; if (c) x = 1; return x; }
int again(int n) { int sum = 0; for (int i = 0; i < n; i++) { int fresh; if (i) sum += fresh; fresh = i; } return sum; }
