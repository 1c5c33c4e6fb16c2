// args: -std=c89 -Wno-everything
// Old C: a call with other arguments than the definition takes.
int add(a, b) int a; long b; { return a + (int)b; }
int call() { return add(1) + unknown(2); }
