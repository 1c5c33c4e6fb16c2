// Parameters that are assigned, whose address is taken, that are not used.
void use(int *);
int parameters(int assigned, int taken, int unused) { assigned += 2; use(&taken); return assigned + taken; }
