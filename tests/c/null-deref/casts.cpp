// The compiler tests for null in casts and in `delete`; the programmer does not.
struct First { int a; };
struct Second { int b; };
struct Both : First, Second { int c; };
Both *make();
void count();

int upcast_ok()
{
    Both *both = make();
    Second *second = both;
    return second->b;
}

int asked_bad()
{
    Both *both = make(); //~ step #a1 "`make` returns the pointer"
    if (!both) //~ step #a2 "taking the branch where `make()` is null"
        count();
    return both->c; //~ null-deref #a "`both` is null and is dereferenced" cause unknown when "true"
}

struct Base { virtual ~Base(); int a; };
struct Derived : Base { int b; };
Base *get();

int downcast_ok()
{
    Base *base = get();
    Derived *derived = dynamic_cast<Derived *>(base);
    if (derived)
        return derived->b;
    return base->a;
}
