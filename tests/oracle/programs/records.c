// Structs, unions, bit-fields, nested and flexible arrays, passing and returning them by value.
struct point { int x, y; };
struct flags { unsigned a : 3; signed b : 7; unsigned : 0; unsigned long c : 40; };
union word { int i; float f; unsigned char bytes[4]; struct point *p; };
struct tree { struct tree *left, *right; union word value; struct { char tag; short size; } inner; };
struct tail { unsigned n; struct point items[]; };
struct __attribute__((packed)) tight { char c; long l; short s; };
struct big { long words[9]; };

static struct point origin = {1, -2};
struct tree leaf = {.left = &leaf, .value.i = 7, .inner = {'x', 3}};

struct point add(struct point a, struct point b) { return (struct point){a.x + b.x, a.y + b.y}; }

struct big fill(struct big from, long seed) {
  struct big result = from;
  for (int i = 0; i < 9; i++)
    result.words[i] ^= seed << i;
  return result;
}

unsigned long mix(struct flags *f, struct tight *t) {
  f->a += 1;
  f->b = -f->b;
  f->c |= t->l;
  return f->a + f->c + (unsigned long)t->s;
}

int sum(const struct tail *t, struct tree *root) {
  int total = 0;
  for (unsigned i = 0; i < t->n; i++)
    total += t->items[i].x * t->items[i].y;
  for (struct tree *at = root; at; at = at->right) {
    union word copy = at->value;
    total += copy.bytes[2] + at->inner.size;
  }
  struct big b = fill((struct big){{1, 2, 3}}, 4);
  return total + add(origin, (struct point){3, 4}).x + (int)b.words[8];
}
