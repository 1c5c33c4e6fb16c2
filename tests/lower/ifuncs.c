// An indirect function is declared: its resolver chooses when the program is loaded.
static int plain(int x) { return x; }
static void *resolve(void) { return plain; }
int chosen(int) __attribute__((ifunc("resolve")));
int call(void) { return chosen(1); }
