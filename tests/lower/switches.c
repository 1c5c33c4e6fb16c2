// Cases, fall-through, ranges, a wide type.
int dense(int x) { switch (x) { case 0: return 5; case 1: case 2: x++; case 3: return x; default: return 0; } }
int wide(unsigned long x) { switch (x) { case 0x1234567890: return 1; case ~0ul: return 2; } return 3; }
int range(int x) { switch (x) { case 1 ... 3: return 1; } return 0; }
