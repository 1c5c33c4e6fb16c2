// Why control goes no further.
void exit(int) __attribute__((noreturn));
int stop(int c) { if (c == 1) exit(2); if (c == 2) __builtin_trap(); if (c == 3) __builtin_unreachable(); return c; }
void no_return(void (*f)(void) __attribute__((noreturn))) { f(); }
