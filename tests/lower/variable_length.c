// Arrays whose size the program computes; the stack is restored at the end of their scope.
int sum(int n) {
  int total = 0;
  for (int k = 1; k <= n; k++) { int a[k]; a[k - 1] = k; total += a[k - 1]; }
  return total;
}
int two(int n, int m) { int a[n][m]; a[1][2] = 3; return a[1][2] + (int)sizeof a; }
