// Virtual destructors: deletion through bases runs the most derived one first, members and bases follow.
#include <cstdio>

static int depth, trace;

struct Tracked {
    int digit;
    explicit Tracked(int d) : digit(d) { depth++; }
    ~Tracked()
    {
        depth--;
        trace = trace % 100000 * 10 + digit;
    }
};

struct Animal {
    Tracked t{ 1 };
    virtual ~Animal() = default;
    virtual const char *sound() const = 0;
};

struct Dog : Animal {
    Tracked tail{ 2 };
    const char *sound() const override { return "woof"; }
};

struct Puppy : Dog {
    Tracked *toy = new Tracked(3);
    ~Puppy() override { delete toy; }
    const char *sound() const override { return "yip"; }
};

struct Bird : Animal {
    Animal *companion;
    explicit Bird(Animal *c) : companion(c) {}
    ~Bird() override
    {
        std::printf("bird lets %s go, ", companion ? companion->sound() : "nobody");
        delete companion;
    }
    const char *sound() const override { return "tweet"; }
};

class Owner {
    Animal *animals_[4] = {};
    int n_ = 0;

public:
    void adopt(Animal *a) { animals_[n_++] = a; }
    void speak() const
    {
        for (int i = 0; i < n_; i++)
            std::printf("%s ", animals_[i]->sound());
        std::printf("depth %d\n", depth);
    }
    ~Owner()
    {
        while (n_ > 0)
            delete animals_[--n_];
    }
};

int main()
{
    Animal *a = new Puppy;
    std::printf("%s depth %d\n", a->sound(), depth);
    delete a;
    std::printf("trace %d depth %d\n", trace, depth);
    trace = 0;
    {
        Owner o;
        o.adopt(new Dog);
        o.adopt(new Bird(new Puppy));
        o.adopt(new Bird(nullptr));
        o.speak();
    }
    std::printf("\ntrace %d depth %d\n", trace, depth);
    trace = 0;
    Animal *none = nullptr;
    delete none;
    {
        Puppy local;
        Dog &as_dog = local;
        std::printf("%s\n", as_dog.sound());
    }
    std::printf("trace %d depth %d\n", trace, depth);
    return trace & 0x7f;
}
