// Large structs are passed in memory: the caller makes the copy.
struct big { long v[5]; };
long callee(struct big b) { b.v[0]++; return b.v[0] + b.v[4]; }
long caller(struct big *p) { return callee(*p); }
