// Facts that the programmer states; expectations are none.
int assume(int x) { __builtin_assume(x > 3); if (__builtin_expect(x == 5, 0)) return 1; return x; }
int *aligned(int *p) { return __builtin_assume_aligned(p, 16); }
