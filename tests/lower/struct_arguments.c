// Small structs travel in registers: one C argument is several of ours.
struct pair { long a; double b; };
struct floats { float x, y, z; };
long pair_sum(struct pair p) { return p.a + (long)p.b; }
float floats_sum(struct floats f) { return f.x + f.y + f.z; }
long call(void) { struct pair p = {1, 2.0}; return pair_sum(p); }
