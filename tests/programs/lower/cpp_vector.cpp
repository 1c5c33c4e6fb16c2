// std::vector: growth, insertion, erasure, iterators, nested vectors, vectors of objects with counted copies.
#include <cstdio>
#include <utility>
#include <vector>

struct Counted {
    static int live, copies;
    int v;
    Counted(int v) : v(v) { live++; }
    Counted(const Counted &o) : v(o.v) { live++, copies++; }
    Counted(Counted &&o) noexcept : v(std::exchange(o.v, -1)) { live++; }
    Counted &operator=(const Counted &) = default;
    Counted &operator=(Counted &&) = default;
    ~Counted() { live--; }
};
int Counted::live = 0;
int Counted::copies = 0;

template <class V> static void show(const char *what, const V &v)
{
    std::printf("%s", what);
    for (const auto &e : v)
        std::printf(" %d", static_cast<int>(e));
    std::printf(" (%zu)\n", v.size());
}

static std::vector<int> primes(int limit)
{
    std::vector<bool> composite(static_cast<std::size_t>(limit));
    std::vector<int> found;
    for (int p = 2; p < limit; p++) {
        if (composite[static_cast<std::size_t>(p)])
            continue;
        found.push_back(p);
        for (int m = p * 2; m < limit; m += p)
            composite[static_cast<std::size_t>(m)] = true;
    }
    return found;
}

int main()
{
    std::vector<int> v;
    for (int i = 0; i < 10; i++)
        v.push_back(i * 3);
    show("pushed", v);
    v.insert(v.begin() + 2, 100);
    v.erase(v.begin() + 5, v.begin() + 8);
    v.pop_back();
    v.front() = -1;
    show("edited", v);
    v.resize(9, 7);
    v.back()--;
    show("resized", v);
    std::vector<int> copy = v, moved = std::move(v);
    copy.assign({ 5, 4, 3 });
    show("moved", moved);
    std::printf("compare %d %d empty %d\n", copy < moved, copy == std::vector<int>{ 5, 4, 3 }, v.empty());
    int sum = 0;
    for (auto it = moved.rbegin(); it != moved.rend(); ++it)
        sum = (sum * 3 + *it) % 1009;
    std::printf("sum %d\n", sum);
    show("primes", primes(50));
    {
        std::vector<Counted> objects;
        for (int i = 0; i < 6; i++)
            objects.emplace_back(i * 11);
        objects.insert(objects.begin(), Counted(99));
        objects.erase(objects.begin() + 3);
        std::vector<Counted> twin = objects;
        std::printf("objects %d %d live %d copies %d\n", objects[0].v, twin.back().v, Counted::live, Counted::copies);
        twin.clear();
        std::printf("live %d\n", Counted::live);
    }
    std::printf("live %d\n", Counted::live);
    std::vector<std::vector<char>> grid(3, std::vector<char>(4, '.'));
    grid[1][2] = '#';
    grid[2].push_back('!');
    for (const auto &row : grid)
        std::printf("%.*s\n", static_cast<int>(row.size()), row.data());
    std::vector<bool> bits = { true, false, true };
    bits.flip();
    show("bits", bits);
    return sum & 0x7f;
}
