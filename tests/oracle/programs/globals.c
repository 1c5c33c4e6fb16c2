// Globals of every linkage, alias, ifunc, sections, initializers that need constant expressions.
extern int outside, weak_outside __attribute__((weak));
static int here[4] = {1, 2, 3};
int common_like __attribute__((common));
int weak __attribute__((weak)) = 4;
int hidden __attribute__((visibility("hidden"))) = 5;
__attribute__((section("special"), aligned(64), used)) static const char marked[] = "in its own section";
const char *text = "shared \"text\" \\ \n\x01\xff";
const unsigned short wide_text[] = u"ab\u20ac";
char zero[1000];
static int *middle = &here[2];
long difference = (long)&here[3] - 5;
const char *suffix = &"hello"[3];
int (*handlers[])(int) = {0, (int (*)(int)) & text};
struct { const void *self; unsigned char bytes[300]; int last; } mixed = {&mixed, {1, 2, [299] = 9}, -1};
struct { int a; double b; char c[3]; } list[] = {{1, 2.5, "ab"}, {.b = -1}, {3, 0, {'x'}}};

int target(int x) { return x + here[1] + *middle + outside + (&weak_outside ? weak_outside : 0); }
extern int other(int) __attribute__((alias("target")));
extern int weak_name(int) __attribute__((weak, alias("target")));
static int (*choose(void))(int) { return target; }
int resolved(int) __attribute__((ifunc("choose")));

__attribute__((constructor(200))) static void start(void) { common_like = weak; }
__attribute__((destructor)) static void finish(void) { zero[3] = *suffix; }
static inline int helper(int x) { return x * hidden; }
extern inline __attribute__((gnu_inline)) int available(int x) { return x + 1; }
int use(void) {
  static int calls;
  static const int squares[] = {0, 1, 4, 9};
  return helper(++calls) + available(squares[calls & 3]) + other(2) + resolved(3) + handlers[0](wide_text[0]);
}
asm(".globl from_asm\nfrom_asm = 5");
