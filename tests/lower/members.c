// Nested members, arrays in structs, anonymous structs and unions; the types keep their names.
struct point { int x, y; };
struct shape {
  struct point corners[3];
  union { struct { short low, high; }; int both; };
  const char *name;
  enum color { RED, GREEN = 5 } color;
};
typedef struct shape shape_t;
int read(shape_t *s, int i) { return s->corners[i].y + s->high + (s->color == GREEN) + s->name[1]; }
