// Copy and move construction and assignment: which one runs, what it leaves behind, elision, and the rule of five.
#include <cstdio>
#include <cstring>
#include <utility>

class Text {
    char *data_;
    std::size_t size_;

public:
    static int copies, moves;
    Text(const char *s = "") : data_(new char[std::strlen(s) + 1]), size_(std::strlen(s)) { std::strcpy(data_, s); }
    Text(const Text &o) : data_(new char[o.size_ + 1]), size_(o.size_)
    {
        std::memcpy(data_, o.data_, size_ + 1);
        copies++;
    }
    Text(Text &&o) noexcept : data_(o.data_), size_(o.size_)
    {
        o.data_ = nullptr;
        o.size_ = 0;
        moves++;
    }
    Text &operator=(Text o) noexcept
    {
        swap(*this, o);
        return *this;
    }
    ~Text() { delete[] data_; }
    friend void swap(Text &a, Text &b) noexcept
    {
        std::swap(a.data_, b.data_);
        std::swap(a.size_, b.size_);
    }
    const char *c_str() const { return data_ ? data_ : "(moved)"; }
    std::size_t size() const { return size_; }
};
int Text::copies = 0;
int Text::moves = 0;

static void report(const char *what)
{
    std::printf("%-10s copies %d moves %d\n", what, Text::copies, Text::moves);
    Text::copies = Text::moves = 0;
}

static Text make(int n)
{
    Text t(n > 3 ? "long text" : "short");
    return t;
}

static std::size_t by_value(Text t) { return t.size(); }
static std::size_t by_reference(const Text &t) { return t.size(); }

struct Pair {
    Text a, b;
    int n = 3;
};

int main()
{
    Text a("alpha");
    Text b = a;
    report("copy");
    Text c = std::move(a);
    std::printf("%s %s %s\n", a.c_str(), b.c_str(), c.c_str());
    report("move");
    std::size_t total = by_value(b) + by_reference(b) + by_value(std::move(b)) + by_value("literal");
    report("values");
    Text d = make(5);
    std::printf("%s\n", d.c_str());
    Text::copies = Text::moves = 0;
    c = d;
    report("assign");
    c = Text("temporary");
    report("assign");
    std::printf("%s %s\n", c.c_str(), d.c_str());
    Pair p{ "one", "two" };
    Pair q = p;
    Pair r = std::move(q);
    report("members");
    std::printf("%s %s %s %d\n", p.a.c_str(), q.b.c_str(), r.b.c_str(), r.n);
    swap(p.a, p.b);
    std::swap(p, r);
    report("swap");
    std::printf("%s %s total %zu\n", p.a.c_str(), r.a.c_str(), total);
    return static_cast<int>(total);
}
