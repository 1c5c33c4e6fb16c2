// Who sees what, and what may replace it.
static int hidden(void) { return 1; }
__attribute__((weak)) int replaceable(void) { return hidden(); }
extern int maybe(void) __attribute__((weak));
inline __attribute__((gnu_inline)) extern int copied(void) { return 2; }
static int counter;
__attribute__((weak)) int weak_variable = 4;
extern int elsewhere;
int use(void) { return (maybe ? maybe() : replaceable()) + copied() + counter++ + elsewhere; }
