// Stack memory of a size that the program computes.
void use(char *);
void dynamic(unsigned long n) { char *p = __builtin_alloca(n); p[0] = 0; use(p); }
