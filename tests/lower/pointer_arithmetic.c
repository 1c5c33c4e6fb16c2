// An address is the base, then each variable index, then the constant part.
struct item { int key; long values[4]; };
long element(struct item *items, int i, long j) { return items[i].values[j + 1]; }
long fixed(struct item *items) { return items[2].values[3]; }
long difference(int *p, int *q) { return p - q; }
int *step(int *p, int n) { return p - n + 1; }
