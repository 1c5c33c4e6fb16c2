// The algorithms header: sort, stable_sort, binary search, unique, rotate, partition, heaps, accumulate and transform.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

struct Person {
    const char *name;
    int age;
};

static void show(const char *what, const std::vector<int> &v)
{
    std::printf("%-9s", what);
    for (int e : v)
        std::printf(" %d", e);
    std::printf("\n");
}

int main()
{
    std::vector<int> v;
    unsigned seed = 99;
    for (int i = 0; i < 40; i++) {
        seed = seed * 1664525 + 1013904223;
        v.push_back(static_cast<int>(seed >> 26));
    }
    show("random", v);
    std::vector<int> sorted = v;
    std::sort(sorted.begin(), sorted.end());
    show("sorted", sorted);
    std::sort(v.begin(), v.end(), [](int a, int b) { return a % 8 != b % 8 ? a % 8 < b % 8 : a > b; });
    show("by digit", v);
    std::printf("search %d %d lower %td count %td\n", std::binary_search(sorted.begin(), sorted.end(), 17),
                std::binary_search(sorted.begin(), sorted.end(), 1000),
                std::lower_bound(sorted.begin(), sorted.end(), 30) - sorted.begin(),
                std::count_if(v.begin(), v.end(), [](int x) { return x % 2; }));
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    show("unique", sorted);
    std::rotate(sorted.begin(), sorted.begin() + 5, sorted.end());
    show("rotated", sorted);
    auto middle = std::partition(sorted.begin(), sorted.end(), [](int x) { return x < 32; });
    std::printf("partition %td\n", middle - sorted.begin());
    std::reverse(sorted.begin(), sorted.end());
    std::transform(sorted.begin(), sorted.end(), sorted.begin(), [](int x) { return x * x % 50; });
    show("squares", sorted);
    std::printf("sum %d max %d min at %td\n", std::accumulate(sorted.begin(), sorted.end(), 0),
                *std::max_element(sorted.begin(), sorted.end()),
                std::min_element(sorted.begin(), sorted.end()) - sorted.begin());
    std::make_heap(sorted.begin(), sorted.end());
    for (int i = 0; i < 3; i++) {
        std::pop_heap(sorted.begin(), sorted.end());
        std::printf("top %d ", sorted.back());
        sorted.pop_back();
    }
    std::vector<int> order(6);
    std::iota(order.begin(), order.end(), 1);
    int permutations = 0;
    do
        permutations++;
    while (std::next_permutation(order.begin(), order.end()) && order[0] < 3);
    std::printf("permutations %d\n", permutations);
    Person people[] = { { "Zoe", 30 }, { "Al", 25 }, { "Bea", 30 }, { "Cy", 25 }, { "Di", 41 } };
    std::sort(people, people + 5, [](const Person &a, const Person &b) {
        return a.age != b.age ? a.age < b.age : a.name[0] < b.name[0];
    });
    for (const Person &p : people)
        std::printf("%s:%d ", p.name, p.age);
    std::nth_element(v.begin(), v.begin() + 20, v.end());
    std::printf("median %d all %d\n", v[20], std::all_of(v.begin(), v.end(), [](int x) { return x < 64; }));
    return v[20];
}
