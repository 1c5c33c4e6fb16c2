// Whoever uses an alias uses what it stands for.
int real(int x) { return x + 1; }
int other(int) __attribute__((alias("real")));
int weak_one(int) __attribute__((weak, alias("real")));
int table[4] = {1, 2, 3, 4};
extern int same_table[4] __attribute__((alias("table")));
int call(void) { return other(1) + weak_one(2) + same_table[2]; }
int (*pointer)(int) = other;
