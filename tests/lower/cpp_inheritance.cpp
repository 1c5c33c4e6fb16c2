// Base classes are members without a name; a cast to a base moves the address.
struct A { int a; };
struct B { int b; };
struct C : A, B { int c; };
B *base(C *c) { return c; }
int sum(C *c) { return c->a + c->b + c->c; }
