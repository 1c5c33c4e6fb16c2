// Inline assembly with labels may go to any of them.
int likely(int x) { __asm__ goto("jmp %l0" : : "r"(x) : : yes, no); return 0; yes: return 1; no: return 2; }
