// Placement new and explicit destruction: objects in raw buffers, an arena, reuse of storage, and aligned storage.
#include <cstdio>
#include <cstddef>
#include <cstdint>
#include <new>

struct Tracked {
    static int live;
    int value;
    explicit Tracked(int v) : value(v) { live++; }
    Tracked(const Tracked &o) : value(o.value + 1) { live++; }
    ~Tracked()
    {
        live--;
        std::printf("~%d ", value);
    }
};
int Tracked::live = 0;

class Arena {
    alignas(std::max_align_t) unsigned char bytes_[256];
    std::size_t used_ = 0;

public:
    template <class T, class... A> T *make(A... arguments)
    {
        used_ = (used_ + alignof(T) - 1) & ~(alignof(T) - 1);
        if (used_ + sizeof(T) > sizeof bytes_)
            return nullptr;
        void *at = bytes_ + used_;
        used_ += sizeof(T);
        return new (at) T(arguments...);
    }
    std::size_t used() const { return used_; }
};

template <class T> class Slot {
    alignas(T) unsigned char storage_[sizeof(T)];
    T *object_ = nullptr;

public:
    template <class... A> T &emplace(A... arguments)
    {
        reset();
        object_ = ::new (static_cast<void *>(storage_)) T(arguments...);
        return *object_;
    }
    void reset()
    {
        if (object_)
            object_->~T();
        object_ = nullptr;
    }
    bool full() const { return object_ != nullptr; }
    ~Slot() { reset(); }
};

struct alignas(32) Wide {
    double v[4];
    Wide(double a) : v{ a, a * 2, a * 3, a * 4 } {}
};

int main()
{
    alignas(Tracked) unsigned char raw[3 * sizeof(Tracked)];
    Tracked *items[3];
    for (int i = 0; i < 3; i++)
        items[i] = new (raw + i * sizeof(Tracked)) Tracked(i + 10);
    std::printf("live %d middle %d\n", Tracked::live, items[1]->value);
    for (int i = 3; i-- > 0;)
        items[i]->~Tracked();
    std::printf("live %d\n", Tracked::live);

    Arena arena;
    char *c = arena.make<char>('c');
    Wide *w = arena.make<Wide>(1.5);
    int *n = arena.make<int>(42);
    std::printf("%c %g %d used %zu aligned %d\n", *c, w->v[3], *n, arena.used(),
                static_cast<int>(reinterpret_cast<std::uintptr_t>(n) % alignof(int)));
    int fitted = 0;
    while (arena.make<long>(fitted))
        fitted++;
    std::printf("fitted %d\n", fitted);
    {
        Slot<Tracked> slot;
        slot.emplace(1).value += 5;
        slot.emplace(*new (raw) Tracked(70));
        reinterpret_cast<Tracked *>(raw)->~Tracked();
        std::printf("full %d live %d\n", slot.full(), Tracked::live);
    }
    std::printf("live %d\n", Tracked::live);
    int *array = new (raw) int[3]{ 1, 2, 3 };
    std::printf("array %d\n", array[0] + array[1] * 10 + array[2] * 100);
    return fitted;
}
