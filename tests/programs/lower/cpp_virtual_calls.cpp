// Virtual calls: default arguments, overloads, calls from constructors and destructors, final classes, const overloads.
#include <cstdio>

struct Node {
    virtual ~Node() { visit("~Node"); }
    Node() { visit("Node"); }
    virtual void visit(const char *where) const { std::printf("Node::visit(%s) ", where); }
    virtual int value(int scale = 2) { return scale; }
    virtual int value(double d) { return static_cast<int>(d * 100); }
    virtual int peek() const { return 1; }
    virtual int peek() { return 2; }
    int template_method() { return before() * 10 + after(); }

private:
    virtual int before() { return 1; }
    virtual int after() { return 2; }
};

struct Leaf : Node {
    int v;
    explicit Leaf(int v) : v(v) { visit("Leaf"); }
    ~Leaf() override { visit("~Leaf"); }
    void visit(const char *where) const override { std::printf("Leaf%d::visit(%s) ", v, where); }
    using Node::value;
    int value(int scale = 50) override { return v * scale; }
    int peek() const override { return 11; }

private:
    int after() override { return v; }
};

struct Last final : Leaf {
    Last() : Leaf(9) {}
    using Leaf::value;
    int value(double d) override { return -static_cast<int>(d); }
    int before() override { return 7; }
};

using Method = int (Node::*)(int);

static int sum(Node *const *nodes, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += nodes[i]->value() + nodes[i]->value(0.5);
    return total;
}

int main()
{
    Node plain;
    Leaf leaf(3);
    Last last;
    std::printf("\n");
    Node *all[] = { &plain, &leaf, &last };
    for (Node *n : all) {
        const Node *c = n;
        std::printf("%d %d %d %d\n", n->value(), n->peek(), c->peek(), n->template_method());
    }
    std::printf("static default %d, qualified %d\n", leaf.value(), leaf.Node::value());
    Method m = &Node::value;
    for (Node *n : all)
        std::printf("%d ", (n->*m)(4));
    int total = sum(all, 3);
    std::printf("total %d\n", total);
    leaf.visit("end");
    static_cast<Node &>(last).visit("end");
    std::printf("\n");
    return total;
}
