// Function-local statics with constructors: guard variables, one-time construction, order of destruction at exit.
#include <cstdio>

struct Noisy {
    int id;
    explicit Noisy(int i) : id(i) { std::printf("construct %d\n", id); }
    ~Noisy() { std::printf("destroy %d\n", id); }
};

static int expensive(int n)
{
    std::printf("computing %d\n", n);
    return n * n;
}

static Noisy &instance()
{
    static Noisy n(1);
    return n;
}

static int cached(int n)
{
    static const int value = expensive(n);
    return value;
}

static Noisy *maybe(bool wanted)
{
    if (!wanted)
        return nullptr;
    static Noisy n(2);
    return &n;
}

template <class T> static int per_type()
{
    static int n = expensive(static_cast<int>(sizeof(T)));
    return ++n;
}

static int nested(int n)
{
    static Noisy outer(instance().id + 10 * cached(4));
    return outer.id + n;
}

struct Registry {
    int items[4];
    int n = 0;
    static Registry &get()
    {
        static Registry r;
        return r;
    }
    int add(int v)
    {
        items[n++] = v;
        return n;
    }
};

inline int shared()
{
    static int n = expensive(3);
    return n++;
}

int main()
{
    std::printf("main\n");
    std::printf("maybe %d\n", maybe(false) == nullptr);
    instance().id += 4;
    std::printf("instance %d\n", instance().id);
    std::printf("cached %d", cached(6));
    std::printf(" %d\n", cached(100));
    maybe(true)->id++;
    std::printf("maybe %d\n", maybe(true)->id);
    int a = per_type<int>(), b = per_type<double>(), c = per_type<int>();
    std::printf("types %d %d %d\n", a, b, c);
    int d = nested(1000), e = nested(2000);
    std::printf("nested %d %d\n", d, e);
    for (int i = 0; i < 3; i++)
        Registry::get().add(i * i);
    std::printf("registry %d %d\n", Registry::get().n, Registry::get().items[2]);
    int s = shared() + shared();
    std::printf("shared %d\n", s);
    return s;
}
