// Virtual calls are loads and indirect calls; vtables are initializers.
struct Base { virtual int f(int) = 0; virtual ~Base() {} int n; };
struct Derived : Base { int f(int x) override { return x + n; } int m; };
int call(Base *b) { return b->f(3); }
int direct() { Derived d; d.m = 1; return d.f(1); }
