// Comparisons of integers, pointers and floats.
int ints(int a, int b, unsigned c, unsigned d) { return (a < b) + (c >= d) + (a != b); }
int pointers(char *p, char *q) { return p == q || p < q || !p; }
int floats(double a, double b) { return (a < b) + (a == b) + (a != b) + !(a >= b); }
