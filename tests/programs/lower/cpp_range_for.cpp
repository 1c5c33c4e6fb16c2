// Range-based for over arrays, custom ranges, sentinels, proxies and generators, with std::swap of elements and ranges.
#include <cstdio>
#include <cstddef>
#include <iterator>
#include <utility>

class Countdown {
    int from_;

public:
    explicit Countdown(int from) : from_(from) {}
    struct End {};
    struct Iterator {
        int at;
        int operator*() const { return at; }
        Iterator &operator++()
        {
            at -= 2;
            return *this;
        }
        bool operator!=(End) const { return at > 0; }
    };
    Iterator begin() const { return { from_ }; }
    End end() const { return {}; }
};

template <class T> struct Slice {
    T *first;
    std::size_t n;
    T *begin() const { return first; }
    T *end() const { return first + n; }
    T &operator[](std::size_t i) const { return first[i]; }
};

struct Bits {
    unsigned word;
    struct Iterator {
        unsigned rest;
        int operator*() const { return __builtin_ctz(rest); }
        Iterator &operator++()
        {
            rest &= rest - 1;
            return *this;
        }
        bool operator==(const Iterator &o) const { return rest == o.rest; }
        bool operator!=(const Iterator &o) const { return !(*this == o); }
    };
};
static Bits::Iterator begin(const Bits &b) { return { b.word }; }
static Bits::Iterator end(const Bits &) { return { 0 }; }

template <class R> static void reverse(R r)
{
    for (std::size_t i = 0, j = r.n; i + 1 < j; i++)
        std::swap(r[i], r[--j]);
}

static int made;
static Countdown make(int n)
{
    made++;
    return Countdown(n);
}

int main()
{
    int numbers[] = { 5, 3, 8, 1 };
    int sum = 0;
    for (int n : numbers)
        sum += n;
    for (int &n : numbers)
        n *= sum;
    for (const int &n : numbers)
        std::printf("%d ", n);
    std::printf("\n");
    for (int n : make(9))
        std::printf("%d ", n);
    std::printf("made %d\n", made);
    Slice<int> middle{ numbers + 1, 3 };
    reverse(middle);
    for (auto &n : middle)
        n /= 17;
    for (auto n : numbers)
        std::printf("%d ", n);
    std::printf("\n");
    for (int bit : Bits{ 0x80010105u })
        std::printf("bit%d ", bit);
    std::printf("\n");
    int matrix[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, other[2][3] = {};
    std::swap(matrix, other);
    for (auto &row : other) {
        for (int cell : row) {
            if (cell % 3 == 0)
                break;
            std::printf("%d", cell);
        }
        std::printf("|");
    }
    std::printf("%d\n", matrix[1][2]);
    for (char c : "text")
        sum += c;
    std::printf("sum %d, distance %td\n", sum, std::distance(std::begin(numbers), std::end(numbers)));
    auto p = std::make_pair(0, 10);
    for (auto v : { 1, 2, 3 })
        p.first += v, sum += p.first;
    return sum & 0x7f;
}
