// Integers of any width.
int low(_BitInt(37) x, unsigned _BitInt(7) y) { return (int)(x * 3) + y; }
unsigned _BitInt(200) wide(unsigned _BitInt(200) *x) { return *x + 1; }
