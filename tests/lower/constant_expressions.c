// Addresses that the linker computes; what is no global plus a number becomes instructions.
struct s { int a, b[4]; };
extern struct s table[10];
int *member(void) { return &table[3].b[2]; }
long address(void) { return (long)&table[1] + 5; }
int *fixed(void) { return (int *)0x1000; }
int *choose(int c) { return c ? (int *)-1 : &table[0].a; }
_Bool test(void) { return (long)&table > 100; }
