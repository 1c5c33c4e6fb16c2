// A struct with an open end.
struct packet { int n; char data[]; };
int last(struct packet *p) { return p->data[p->n - 1]; }
struct packet fixed = { 3, { 1, 2, 3 } };
