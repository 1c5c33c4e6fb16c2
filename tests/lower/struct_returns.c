// Small structs come back in registers, large ones through a hidden pointer.
struct small { int a; long b; };
struct large { int v[10]; };
struct small make_small(int a) { struct small s = {a, 2}; return s; }
struct large make_large(int a) { struct large l = {{a}}; return l; }
long use(void) { return make_small(1).b + make_large(2).v[3]; }
