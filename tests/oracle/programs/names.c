// Debug information: nested scopes, shadowing, labels, enumerations, typedef chains, #line, arrays, static locals.
enum color { RED = -1, GREEN, BLUE = 7 };
enum big { HUGE = 0xffffffffffffffff };
typedef const volatile unsigned long *const pointer;
typedef int (*compare)(const void *, const void *);
typedef struct node *link;
struct node { link next; compare by; enum color color; int table[3][5]; _Bool flag : 1; enum big b; char name[]; };
struct opaque;

static struct opaque *handle;
static const enum color favorite = BLUE;
_Alignas(32) int aligned_global;

int scopes(int x, pointer p, struct node *restrict n, _Atomic(int) *atomic) {
  int result = 0;
  {
    int x = 5;
    for (int i = 0; i < x; i++) {
      enum color x = n->color;
      result += x == favorite ? n->table[1][2] : (int)*p;
      if (result > 100)
        goto out;
    }
  }
#line 500 "generated.y"
  {
    static int hits;
    struct { int a; char b; } local = {++hits, 'q'};
    int vla[x];
    vla[0] = local.a;
    result += vla[0] + *atomic;
  }
out:
  return result + aligned_global + (handle != 0);
}

#define SQUARE(v) ({ __typeof__(v) once = (v); once * once; })
int macros(int a) { return SQUARE(a + 1) + SQUARE(a ? a : 2); }

__attribute__((always_inline)) static inline int inner(int q) { int t = q * 2; return t + 1; }
__attribute__((always_inline)) static inline int outer(int q) { return inner(q) + inner(q + 1); }
int chain(int a) { return outer(a) + outer(a - 1); }
__attribute__((nodebug)) int silent(int a) { return outer(a); }
