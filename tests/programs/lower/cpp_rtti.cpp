// RTTI: dynamic_cast down, up, across and to void, failed casts, casts of references that succeed, typeid comparison.
#include <cstdio>
#include <cstring>
#include <typeinfo>

struct A {
    int a = 1;
    virtual ~A() = default;
};
struct B : A {
    int b = 2;
};
struct Side {
    int s = 3;
    virtual ~Side() = default;
};
struct C : B, Side {
    int c = 4;
};
struct D : A {
    int d = 5;
};
struct Plain {
    int p;
};
template <class T> struct Box : A {
    T value{};
};

static int classify(A *p)
{
    if (C *c = dynamic_cast<C *>(p))
        return 300 + c->c + c->s;
    if (B *b = dynamic_cast<B *>(p))
        return 200 + b->b;
    if (dynamic_cast<D *>(p))
        return 400;
    if (auto *i = dynamic_cast<Box<int> *>(p))
        return 500 + i->value;
    return 100;
}

static const char *short_name(const std::type_info &t) { return t.name(); }

int main()
{
    A a;
    B b;
    C c;
    D d;
    Box<int> box;
    Box<char> other;
    box.value = 42;
    A *all[] = { &a, &b, &c, &d, &box, &other };
    for (A *p : all)
        std::printf("%s %d\n", short_name(typeid(*p)), classify(p));
    Side *side = &c;
    A *across = dynamic_cast<A *>(side);
    std::printf("across %d back %d\n", across == static_cast<A *>(&c), dynamic_cast<Side *>(across) == side);
    std::printf("fails %d %d\n", dynamic_cast<Side *>(&a) == nullptr, dynamic_cast<D *>(side) == nullptr);
    std::printf("whole %d\n", dynamic_cast<void *>(side) == static_cast<void *>(&c));
    A *null = nullptr;
    std::printf("null %d\n", dynamic_cast<B *>(null) == nullptr);
    B &reference = dynamic_cast<B &>(*all[2]);
    std::printf("reference %d\n", reference.b);
    std::printf("typeid %d %d %d %d\n", typeid(*all[1]) == typeid(B), typeid(*all[2]) == typeid(B),
                typeid(*side) == typeid(C), typeid(side) == typeid(Side *));
    std::printf("static %d %d\n", typeid(Plain) == typeid(const Plain &), typeid(Box<int>) == typeid(Box<char>));
    std::printf("names %s %s %s\n", typeid(Box<long *>).name(), typeid(Plain).name(), typeid(Plain *).name());
    int total = 0;
    for (A *p : all)
        total += std::strcmp(typeid(*p).name(), typeid(C).name()) == 0 ? 10 : 1;
    std::printf("total %d\n", total);
    return total;
}
