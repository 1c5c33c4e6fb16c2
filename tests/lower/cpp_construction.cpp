// Constructors, destructors, new and delete are calls.
struct S { S(int); ~S(); int x; };
S global(3);
int local() { S s(4); return s.x; }
S *heap() { return new S(5); }
void release(S *s) { delete s; }
int *array(unsigned long n) { return new int[n]; }
