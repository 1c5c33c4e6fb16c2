// Calls through pointers and tables.
int one(int), two(int);
int (*table[])(int) = { one, two };
int call(int i) { return table[i](i); }
int apply(int (*f)(int), int x) { return f ? f(x) : one(x); }
