// new[] and delete[]: cookies for classes with destructors, nested arrays, zero length, class-specific operators.
#include <cstdio>
#include <cstddef>
#include <cstdlib>
#include <new>

static int destroyed, last;

struct Item {
    int id;
    static int next;
    Item() : id(next++) {}
    ~Item()
    {
        destroyed++;
        last = id;
    }
};
int Item::next = 1;

struct Pooled {
    long payload[2] = { 3, 4 };
    static int allocated, freed;
    static void *operator new(std::size_t n)
    {
        allocated += static_cast<int>(n);
        return std::malloc(n);
    }
    static void operator delete(void *p, std::size_t n)
    {
        freed += static_cast<int>(n);
        std::free(p);
    }
    static void *operator new[](std::size_t n)
    {
        allocated += 1000;
        return std::malloc(n);
    }
    static void operator delete[](void *p)
    {
        freed += 1000;
        std::free(p);
    }
};
int Pooled::allocated = 0;
int Pooled::freed = 0;

struct alignas(64) Overaligned {
    int v = 9;
};

static Item *make(std::size_t n) { return new Item[n]; }

int main()
{
    Item *five = make(5);
    std::printf("ids %d %d\n", five[0].id, five[4].id);
    delete[] five;
    std::printf("destroyed %d last %d\n", destroyed, last);
    delete[] make(0);
    Item *nothing = nullptr;
    delete[] nothing;
    std::printf("destroyed %d\n", destroyed);

    using Row = Item[3];
    Row *rows = new Row[2];
    std::printf("rows %d %d\n", rows[1][0].id, rows[1][2].id);
    delete[] rows;
    std::printf("destroyed %d last %d\n", destroyed, last);

    int *zeros = new int[4]();
    int *some = new int[5]{ 1, 2, 3 };
    std::printf("ints %d %d %d\n", zeros[3], some[2], some[4]);
    delete[] zeros;
    delete[] some;

    Pooled *one = new Pooled, *many = new Pooled[3];
    std::printf("pooled %ld %ld\n", one->payload[1], many[2].payload[0]);
    delete one;
    delete[] many;
    std::printf("accounts %d %d\n", Pooled::allocated, Pooled::freed);

    Overaligned *o = new Overaligned[2];
    std::printf("overaligned %d %d\n", static_cast<int>(reinterpret_cast<std::size_t>(o) % 64), o[1].v);
    delete[] o;
    Item **pointers = new Item *[3];
    for (int i = 0; i < 3; i++)
        pointers[i] = new Item;
    for (int i = 0; i < 3; i++)
        delete pointers[i];
    delete[] pointers;
    char *quiet = new (std::nothrow) char[10];
    if (quiet)
        quiet[9] = 'q';
    std::printf("nothrow %c\n", quiet ? quiet[9] : '?');
    delete[] quiet;
    return destroyed;
}
