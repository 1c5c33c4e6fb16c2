// All kinds of loops, with break and continue; variables are parameters of the loop's head.
int loops(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) { if (i == 3) continue; sum += i; }
  while (sum > 100) { sum /= 2; if (sum == 77) break; }
  do sum++; while (sum % 5);
  return sum;
}
