// Promises that clang hands over.
void *my_malloc(unsigned long n) __attribute__((malloc, alloc_size(1), returns_nonnull));
void *my_calloc(unsigned long n, unsigned long m) __attribute__((alloc_size(1, 2)));
void fail(const char *) __attribute__((noreturn, cold));
int pure(const int *) __attribute__((pure));
int constant(int) __attribute__((const));
void needs(void *p) __attribute__((nonnull));
int setjmp(void *) __attribute__((returns_twice));
int use(void *p, unsigned long n) {
  needs(p);
  if (!n) fail("n");
  return pure(my_malloc(n)) + constant(1) + setjmp(my_calloc(n, 4));
}
