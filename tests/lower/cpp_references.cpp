// References are pointers; a class with a destructor is passed by a hidden one.
struct Owner { ~Owner(); int *p; };
int take(Owner o, const int &r) { return *o.p + r; }
int &pick(int &a, int &b, bool c) { return c ? a : b; }
