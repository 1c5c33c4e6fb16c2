// std::unique_ptr: ownership moved between functions and containers, custom deleters, arrays, release and reset.
#include <cstdio>
#include <memory>
#include <utility>

struct Node {
    int value;
    std::unique_ptr<Node> next;
    Node(int v, std::unique_ptr<Node> n) : value(v), next(std::move(n)) {}
    ~Node() { std::printf("~%d ", value); }
};

struct Shape {
    virtual ~Shape() { std::printf("~Shape "); }
    virtual int sides() const = 0;
};
struct Square : Shape {
    int sides() const override { return 4; }
    ~Square() override { std::printf("~Square "); }
};
struct Triangle : Shape {
    int sides() const override { return 3; }
};

static std::unique_ptr<Shape> make(bool square)
{
    if (square)
        return std::make_unique<Square>();
    return std::make_unique<Triangle>();
}

static std::unique_ptr<Node> push(std::unique_ptr<Node> list, int v)
{
    return std::make_unique<Node>(v, std::move(list));
}

static std::unique_ptr<Node> reverse(std::unique_ptr<Node> list)
{
    std::unique_ptr<Node> done;
    while (list) {
        std::unique_ptr<Node> rest = std::move(list->next);
        list->next = std::move(done);
        done = std::move(list);
        list = std::move(rest);
    }
    return done;
}

static int closed;
struct Closer {
    int code;
    void operator()(int *p) const
    {
        closed += code + *p;
        delete p;
    }
};

int main()
{
    std::unique_ptr<Node> list;
    for (int i = 1; i <= 4; i++)
        list = push(std::move(list), i);
    list = reverse(std::move(list));
    for (const Node *n = list.get(); n; n = n->next.get())
        std::printf("%d ", n->value);
    std::printf("\n");
    list->next.reset();
    std::printf("cut\n");
    Node *raw = list.release();
    std::printf("released %d empty %d\n", raw->value, !list);
    delete raw;
    std::printf("\n");
    {
        std::unique_ptr<Shape> shapes[] = { make(true), make(false), nullptr };
        std::swap(shapes[0], shapes[2]);
        int sides = 0;
        for (const auto &s : shapes)
            sides = sides * 10 + (s ? s->sides() : 0);
        std::printf("sides %d\n", sides);
    }
    std::printf("\n");
    auto array = std::make_unique<int[]>(6);
    for (int i = 0; i < 6; i++)
        array[static_cast<unsigned>(i)] = i * i;
    std::printf("array %d %d\n", array[5], array[0]);
    {
        std::unique_ptr<int, Closer> a(new int(5), Closer{ 100 }), b(nullptr, Closer{ 1000 });
        std::printf("sizes %zu %zu\n", sizeof a, sizeof list);
        b = std::move(a);
        b.reset(new int(7));
        std::printf("closed %d deleter %d\n", closed, b.get_deleter().code);
    }
    std::printf("closed %d\n", closed);
    return closed & 0x7f;
}
