// Bit-fields are loads, shifts and masks of their storage unit.
struct flags { unsigned a : 3; int b : 5; unsigned long c : 40; };
int get(struct flags *f) { return f->b; }
void set(struct flags *f, unsigned v) { f->a = v; f->c++; }
