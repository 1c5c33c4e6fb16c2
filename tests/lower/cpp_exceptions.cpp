// Paths of exceptions are not followed.
void may_throw(int);
struct Guard { ~Guard(); };
int caught(int x) { Guard g; try { may_throw(x); } catch (int e) { return e; } return 0; }
void throws() { throw 1; }
