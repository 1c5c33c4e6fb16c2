// Pointers to integers and back.
unsigned long tag(void *p) { return (unsigned long)p | 1; }
int *untag(unsigned long x) { return (int *)(x & ~1ul); }
int cut(void *p) { return (int)(long)p; }
void *align_down(void *p) { return __builtin_align_down(p, 16); }
