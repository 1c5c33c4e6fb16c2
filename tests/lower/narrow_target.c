// args: --target=i386-linux-gnu
// Pointers of 32 bits; 64-bit integers are aligned to 4 bytes.
struct s { char c; long long n; char *p; };
long long read(struct s *s, int i) { return s[i].n + (long)s[i].p; }
unsigned long size(void) { return sizeof(struct s); }
