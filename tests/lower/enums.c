// Enumerations keep their constants' names.
enum mode { OFF, ON = 4, LAST = -1 };
typedef enum { A = 1, B = A << 8 } flags_t;
int test(enum mode m, flags_t f) { return m == ON && (f & B); }
