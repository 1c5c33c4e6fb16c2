// args: --only doomed
// Casts of C++ that test for null on their own.

struct Base {
    virtual ~Base();
    int kind;
};

struct Other {
    virtual ~Other();
    int size;
};

// `Other` does not lie at the start, so that a cast between the two moves the pointer, unless it is null.
struct Both : Base, Other {
    int own;
};

int take(Other *other);

// The cast tests for null; nobody said that `both` may be.
int cast_to_base_ok(Both *both)
{
    Other *other = both;
    return other->size;
}

int cast_down_ok(Other *other)
{
    return static_cast<Both *>(other)->own;
}

int cast_and_call_ok(Both *both)
{
    int own = both->own;
    return own + take(both);
}

// A cast that may fail gives null if it does; that it does not is what the author knows.
int dynamic_cast_ok(Base *base)
{
    return dynamic_cast<Both *>(base)->own;
}

int dynamic_cast_tested_ok(Base *base)
{
    if (Both *both = dynamic_cast<Both *>(base))
        return both->own;
    return 0;
}

int dynamic_cast_tested_bad(Base *base)
{
    Both *both = dynamic_cast<Both *>(base);
    if (!both) //~ step #a1 "taking the branch where `both` is null"
        return both->own; //~ doomed null-deref #a "`both` is null here; no execution gets past this line" cause program
    return 0;
}

int cast_of_null_bad(Both *both)
{
    if (!both) {
        Other *other = both;
        return other->size; //~ doomed null-deref "null"
    }
    return 0;
}

void delete_null_ok(Both *both)
{
    if (!both)
        delete both;
}

int reference_bad(Both *both)
{
    if (both)
        return 0;
    Both &it = *both;
    return it.own; //~ doomed null-deref "null"
}
