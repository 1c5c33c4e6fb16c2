// thread_local variables with constant and dynamic initialization, constructors, members, and destruction at exit.
#include <cstdio>

static int order;

struct Session {
    int id;
    explicit Session(int i) : id(i) { std::printf("open %d order %d\n", id, ++order); }
    ~Session() { std::printf("close %d order %d\n", id, ++order); }
    int use() { return id += 10; }
};

static int expensive()
{
    std::printf("expensive order %d\n", ++order);
    return 42;
}

thread_local int plain = 5;
thread_local int computed = expensive();
static thread_local Session session(1);
extern thread_local int external_later;

static int next()
{
    thread_local int n = 100;
    return n++;
}

static Session &local_session()
{
    thread_local Session s(2);
    return s;
}

struct Holder {
    static thread_local int member;
    static thread_local char buffer[16];
    static const char *format(int v)
    {
        std::snprintf(buffer, sizeof buffer, "<%d>", v);
        return buffer;
    }
};
thread_local int Holder::member = 77;
thread_local char Holder::buffer[16];

template <class T> struct PerType {
    static inline thread_local T value{ 3 };
};

thread_local int external_later = plain + 1;

int main()
{
    std::printf("main order %d\n", ++order);
    std::printf("plain %d\n", plain++);
    int c = computed;
    std::printf("computed %d\n", c);
    int u = session.use();
    std::printf("session %d order %d\n", u, order);
    std::printf("later %d\n", external_later);
    int a = next(), b = next();
    std::printf("next %d %d\n", a, b);
    u = local_session().use();
    u = local_session().use();
    std::printf("local %d\n", u);
    Holder::member++;
    std::printf("holder %d %s\n", Holder::member, Holder::format(-9));
    PerType<int>::value += 4;
    PerType<double>::value /= 2;
    std::printf("per type %d %g\n", PerType<int>::value, PerType<double>::value);
    int *address = &plain;
    *address += 100;
    std::printf("address %d\n", plain);
    return plain + order;
}
