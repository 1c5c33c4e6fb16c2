// A static local with a constructor is guarded.
struct S { S(); int x; };
int once() { static S s; return s.x; }
