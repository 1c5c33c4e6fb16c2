// Every terminator that C can make: switch with ranges, computed goto, asm goto, unreachable, musttail.
extern int next(void);
extern _Noreturn void stop(const char *why);

int classify(long c) {
  switch (c) {
  case 0: return 1;
  case 'a' ... 'f': return 2;
  case -5: case 1L << 40: return 3;
  default: break;
  }
  if (c > 1000)
    stop("too large");
  do {
    c = c * 3 + 1;
  } while (c < 100 || next());
  return (int)(c ? c : -1);
}

int threaded(const unsigned char *code) {
  static void *const table[] = {&&push, &&pop, &&done};
  int depth = 0;
  goto *table[*code++];
push:
  depth++;
  goto *table[*code++];
pop:
  depth--;
  goto *table[*code++];
done:
  return depth;
}

int branching(int x) {
  asm goto("cmp $0, %0; je %l1" : : "r"(x) : "cc" : zero);
  return x;
zero:
  return -1;
}

int even(unsigned n);
int odd(unsigned n) {
  if (n == 0)
    return 0;
  __attribute__((musttail)) return even(n - 1);
}
int even(unsigned n) {
  if (n == 0)
    return 1;
  __attribute__((musttail)) return odd(n - 1);
}

int impossible(int x) {
  if (x == 3)
    __builtin_unreachable();
  __builtin_assume(x > 0);
  return __builtin_expect(x > 10, 1) ? x / 3 : x % 5;
}
