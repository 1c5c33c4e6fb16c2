// Copies and fills, of constant and of computed length.
void copy(char *a, char *b, unsigned long n) { __builtin_memcpy(a, b, n); __builtin_memmove(a, b, 16); }
void fill(char *a, int c, unsigned long n) { __builtin_memset(a, c, n); __builtin_memset(a, 0, 64); }
