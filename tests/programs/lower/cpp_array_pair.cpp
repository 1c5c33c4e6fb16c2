// std::array, std::pair and std::tuple-like access: aggregate copies, comparison, nested arrays, returned by value.
#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

using Board = std::array<std::array<int, 3>, 3>;

static Board magic(int shift)
{
    Board b = { { { 2, 7, 6 }, { 9, 5, 1 }, { 4, 3, 8 } } };
    for (auto &row : b)
        for (int &c : row)
            c += shift;
    return b;
}

static std::array<int, 8> sums(const Board &b)
{
    std::array<int, 8> s{};
    for (std::size_t i = 0; i < 3; i++) {
        for (std::size_t j = 0; j < 3; j++) {
            s[i] += b[i][j];
            s[3 + j] += b[i][j];
        }
        s[6] += b[i][i];
        s[7] += b[i][2 - i];
    }
    return s;
}

static std::pair<int, int> range(const std::array<int, 8> &s)
{
    auto [low, high] = std::minmax_element(s.begin(), s.end());
    return { *low, *high };
}

template <std::size_t N> static std::array<unsigned, N> powers(unsigned base)
{
    std::array<unsigned, N> p{ 1 };
    for (std::size_t i = 1; i < N; i++)
        p[i] = p[i - 1] * base;
    return p;
}

int main()
{
    Board b = magic(0), c = magic(10);
    auto s = sums(b);
    auto r = range(s);
    std::printf("sums %d..%d, shifted %d\n", r.first, r.second, range(sums(c)).second);
    b[1][1] = 50;
    std::printf("changed %d..%d equal %d less %d\n", range(sums(b)).first, range(sums(b)).second, b == c, b < c);
    std::swap(b, c);
    std::printf("swapped %d %d\n", b[1][1], c[1][1]);
    for (unsigned p : powers<12>(7))
        std::printf("%u ", p);
    std::printf("\n");
    std::array<const char *, 4> words = { "delta", "alpha", "charlie", "bravo" };
    std::sort(words.begin(), words.end(), [](const char *x, const char *y) { return x[0] < y[0]; });
    for (auto it = words.cbegin(); it != words.cend(); it++)
        std::printf("%s ", *it);
    std::printf("%zu %s\n", words.size(), words.back());
    std::pair<int, std::pair<char, double>> nested{ 1, { 'x', 2.5 } }, other = nested;
    other.second.second = -1;
    std::printf("pairs %d %d %c\n", other < nested, other == nested, nested.second.first);
    std::array<int, 0> none;
    std::array<int, 5> filled;
    filled.fill(9);
    std::get<2>(filled) = 4;
    int total = 0;
    for (int v : filled)
        total = total * 3 + v;
    std::printf("none %zu filled %d\n", none.size(), total);
    auto pair = std::make_pair(3, 4);
    std::swap(pair.first, pair.second);
    return pair.first * 10 + pair.second;
}
