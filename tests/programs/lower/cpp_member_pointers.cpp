// Pointers to members: data, functions, virtual functions, conversion to derived classes, null, tables and comparison.
#include <cstdio>

struct Vector {
    double x, y, z;
    double norm() const { return x * x + y * y + z * z; }
    double sum() const { return x + y + z; }
    void scale(double by) { x *= by, y *= by, z *= by; }
    static double constant() { return 9; }
};

struct Base {
    int id = 5;
    virtual ~Base() = default;
    virtual int run(int v) { return v + id; }
    int plain(int v) { return v - id; }
};

struct Other {
    long pad = 77;
    virtual ~Other() = default;
    virtual int extra(int v) { return static_cast<int>(pad) + v; }
    int field = 12;
};

struct Derived : Base, Other {
    int run(int v) override { return v * id; }
    int extra(int v) override { return v * 1000 + field; }
};

using Field = double Vector::*;
using Method = double (Vector::*)() const;
using Action = int (Base::*)(int);

static double sum_fields(const Vector &v, const Field *fields, int n)
{
    double total = 0;
    for (int i = 0; i < n; i++)
        total = total * 10 + v.*fields[i];
    return total;
}

template <int Base::*M> int read(const Base &b) { return b.*M; }

static int call(Base &b, Action a, int v) { return a ? (b.*a)(v) : -1; }

int main()
{
    Vector v{ 1, 2, 3 };
    const Field fields[] = { &Vector::z, &Vector::x, &Vector::y };
    std::printf("fields %g\n", sum_fields(v, fields, 3));
    Field f = &Vector::y;
    v.*f = 20;
    (&v)->*fields[0] += 0.5;
    std::printf("vector %g %g %g\n", v.x, v.y, v.z);
    const Method methods[] = { &Vector::norm, &Vector::sum };
    for (Method m : methods)
        std::printf("method %g\n", (v.*m)());
    void (Vector::*scale)(double) = &Vector::scale;
    (v.*scale)(-2);
    double (*constant)() = &Vector::constant;
    std::printf("scaled %g %g\n", v.sum(), constant());

    Base b;
    Derived d;
    Action actions[] = { &Base::run, &Base::plain, nullptr };
    for (Action a : actions)
        std::printf("actions %d %d\n", call(b, a, 10), call(d, a, 10));
    int (Derived::*from_base)(int) = &Base::run;
    int (Derived::*from_other)(int) = &Other::extra;
    std::printf("derived %d %d\n", (d.*from_base)(3), (d.*from_other)(3));
    int Derived::*field = &Other::field;
    d.*field = 99;
    std::printf("field %d %d\n", d.field, read<&Base::id>(d));
    int Derived::*none = nullptr;
    int Base::*zero_offset = &Base::id;
    std::printf("null %d %d %d\n", none == nullptr, zero_offset == nullptr, actions[2] == nullptr);
    std::printf("equal %d %d\n", actions[0] == &Base::run, actions[0] == actions[1]);
    std::printf("sizes %zu %zu\n", sizeof f, sizeof scale);
    return (d.*from_base)(8);
}
