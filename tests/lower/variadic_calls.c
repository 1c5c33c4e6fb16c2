// Variadic calls: small types are promoted, a struct travels as its lanes.
int printf(const char *, ...);
struct pair { int a, b; };
void call(char c, float f, struct pair p) { printf("%c %f %d", c, f, p); }
