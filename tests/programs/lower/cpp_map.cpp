// std::map and std::set: ordered insertion, lookup, iteration in both directions, keys that are structs.
#include <cstdio>
#include <map>
#include <set>
#include "support/rb_tree.h"

struct Key {
    int major, minor;
    bool operator<(const Key &o) const { return major != o.major ? major < o.major : minor < o.minor; }
};

static int build_counts(std::map<char, int> &counts, const char *text)
{
    int total = 0;
    for (; *text; text++, total++)
        counts[*text]++;
    return total;
}

int main()
{
    std::map<char, int> counts;
    int total = build_counts(counts, "sorted trees keep their letters in order");
    for (const auto &[letter, count] : counts)
        std::printf("%c%d ", letter, count);
    std::printf("total %d distinct %zu\n", total, counts.size());
    auto found = counts.find('t');
    std::printf("t %d, q %d, count %zu\n", found != counts.end() ? found->second : -1, counts.find('q') != counts.end(),
                counts.count('e'));
    auto lower = counts.lower_bound('l');
    std::printf("lower %c upper %c\n", lower->first, counts.upper_bound('l')->first);

    std::map<Key, const char *> versions;
    versions[{ 2, 1 }] = "two one";
    versions[{ 1, 9 }] = "one nine";
    auto inserted = versions.insert({ { 2, 1 }, "again" });
    versions.emplace(Key{ 0, 5 }, "zero five");
    std::printf("inserted %d %s\n", inserted.second, inserted.first->second);
    for (auto it = versions.rbegin(); it != versions.rend(); ++it)
        std::printf("%d.%d=%s ", it->first.major, it->first.minor, it->second);
    std::printf("\n");

    std::set<int> numbers;
    unsigned state = 1;
    for (int i = 0; i < 200; i++) {
        state = state * 1103515245 + 12345;
        numbers.insert(static_cast<int>(state >> 16 & 127));
    }
    int previous = -1, ordered = 1, digest = 0;
    for (int n : numbers) {
        ordered &= n > previous;
        digest = (digest * 31 + n) % 10007;
        previous = n;
    }
    std::printf("set %zu ordered %d digest %d last %d\n", numbers.size(), ordered, digest, *numbers.rbegin());
    std::map<int, int> squares;
    for (int i = 0; i < 64; i++)
        squares[i] = i * i;
    std::map<int, int> copy = squares;
    copy[3] = -1;
    std::printf("copy %d %d %zu\n", squares.at(3), copy.at(3), copy.size());
    squares.clear();
    std::printf("cleared %d\n", squares.empty());
    return digest & 0x7f;
}
