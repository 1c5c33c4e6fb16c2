// Assignments of structs are copies of memory.
struct s { int v[8]; };
void copy(struct s *a, struct s *b) { *a = *b; }
struct s zero(void) { struct s s = {0}; return s; }
