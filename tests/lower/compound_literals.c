// Unnamed objects: temporaries without a variable.
struct p { int x, y; };
int use(struct p *);
int call(int a) { return use(&(struct p){ a, 2 }) + ((int[]){ 1, 2, 3 })[a]; }
