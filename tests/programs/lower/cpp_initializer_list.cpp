// std::initializer_list: constructors, loops, nested lists, overload choice, aggregates, lifetimes of backing arrays.
#include <cstdio>
#include <cstddef>
#include <initializer_list>

static int sum(std::initializer_list<int> values)
{
    int total = 0;
    for (int v : values)
        total = total * 10 + v;
    return total;
}

class Matrix {
    double cells_[4][4] = {};
    std::size_t rows_ = 0, columns_ = 0;

public:
    Matrix(std::initializer_list<std::initializer_list<double>> rows) : rows_(rows.size())
    {
        std::size_t r = 0;
        for (const auto &row : rows) {
            std::size_t c = 0;
            for (double v : row)
                cells_[r][c++] = v;
            if (c > columns_)
                columns_ = c;
            r++;
        }
    }
    double at(std::size_t r, std::size_t c) const { return cells_[r][c]; }
    double trace() const
    {
        double t = 0;
        for (std::size_t i = 0; i < rows_ && i < columns_; i++)
            t += cells_[i][i];
        return t;
    }
};

struct Choice {
    const char *how;
    Choice() : how("default") {}
    Choice(int) : how("int") {}
    Choice(int, int) : how("two ints") {}
    Choice(std::initializer_list<int>) : how("list") {}
};

struct Noisy {
    int id;
    Noisy(int i) : id(i) {}
    Noisy(const Noisy &o) : id(o.id + 100) {}
    ~Noisy() { std::printf("~%d ", id); }
};

static int count(std::initializer_list<Noisy> list)
{
    int total = 0;
    for (const Noisy &n : list)
        total += n.id;
    return total;
}

struct Aggregate {
    int a;
    struct {
        char b, c;
    } inner;
    int rest[3];
    const char *name = "unnamed";
};

int main()
{
    std::printf("sums %d %d %d\n", sum({ 1, 2, 3 }), sum({}), sum({ 9 }));
    Matrix m = { { 1, 2, 3 }, { 4, 5 }, { 7, 8, 9.5 } };
    std::printf("matrix %g %g trace %g\n", m.at(0, 2), m.at(1, 2), m.trace());
    Choice choices[] = { Choice(), Choice{}, Choice(1), Choice{ 1 }, Choice(1, 2), Choice{ 1, 2 } };
    for (const Choice &c : choices)
        std::printf("%s, ", c.how);
    std::printf("\n");
    int total = count({ 1, 2, Noisy(3) });
    std::printf("total %d\n", total);
    auto kept = { 4, 5, 6 };
    std::printf("kept %d %zu last %d\n", sum(kept), kept.size(), kept.begin()[2]);
    Aggregate x{ 1, { 'b', 'c' }, { 7, 8 } }, y = { .a = 5, .inner = {}, .rest = {}, .name = "named" };
    std::printf("aggregate %d %c %d %d %s, %d %s\n", x.a, x.inner.c, x.rest[1], x.rest[2], x.name, y.a, y.name);
    int largest = 0;
    for (int v : { 3, 1, 4, 1, 5, 9, 2, 6 })
        largest = v > largest ? v : largest;
    std::printf("largest %d zero %d\n", largest, int{});
    return total;
}
