// Conditional expressions are branches, their results parameters of the block behind.
int both(int *p) { return p && *p > 3; }
int choose(int c, int a, int b) { return c ? a : b; }
