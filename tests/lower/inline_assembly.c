// Inline assembly has unknown results; an empty one with tied operands is the identity.
unsigned cpuid(unsigned leaf) { unsigned b; __asm__ volatile("cpuid" : "+a"(leaf), "=b"(b) : : "ecx", "edx"); return leaf + b; }
void store(int *p) { __asm__("movl $1, %0" : "=m"(*p)); }
int hidden(int x) { __asm__("" : "+r"(x)); return x; }
int tied(int x) { int y; __asm__("" : "=r"(y) : "0"(x)); return y; }
void barrier(void) { __asm__ volatile("" ::: "memory"); }
