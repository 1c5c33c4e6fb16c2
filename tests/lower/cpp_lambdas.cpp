// A lambda is an object with members for what it captures.
int apply(int x) { int y = 2; auto f = [x, &y](int z) { y += z; return x + y; }; return f(3) + y; }
