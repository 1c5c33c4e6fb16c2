// Pure virtual interfaces: tables of implementations, a visitor, a strategy, and a pure function with a body.
#include <cstdio>

struct Number;
struct Sum;
struct Product;

struct Visitor {
    virtual void visit(const Number &) = 0;
    virtual void visit(const Sum &) = 0;
    virtual void visit(const Product &) = 0;
    virtual ~Visitor() = default;
};

struct Expression {
    virtual void accept(Visitor &v) const = 0;
    virtual ~Expression() = 0;
};
Expression::~Expression() { std::printf("."); }

struct Number : Expression {
    int value;
    explicit Number(int v) : value(v) {}
    void accept(Visitor &v) const override { v.visit(*this); }
};

struct Binary : Expression {
    const Expression *left, *right;
    Binary(const Expression *l, const Expression *r) : left(l), right(r) {}
    ~Binary() override
    {
        delete left;
        delete right;
    }
};

struct Sum : Binary {
    using Binary::Binary;
    void accept(Visitor &v) const override { v.visit(*this); }
};

struct Product : Binary {
    using Binary::Binary;
    void accept(Visitor &v) const override { v.visit(*this); }
};

struct Printer : Visitor {
    void visit(const Number &n) override { std::printf("%d", n.value); }
    void visit(const Sum &s) override { both("(", s, " + ", ")"); }
    void visit(const Product &p) override { both("", p, " * ", ""); }

private:
    void both(const char *open, const Binary &b, const char *op, const char *close)
    {
        std::printf("%s", open);
        b.left->accept(*this);
        std::printf("%s", op);
        b.right->accept(*this);
        std::printf("%s", close);
    }
};

struct Evaluator : Visitor {
    long result = 0;
    int visits = 0;
    void visit(const Number &n) override { result = n.value; visits++; }
    void visit(const Sum &s) override { result = of(s.left) + of(s.right); }
    void visit(const Product &p) override { result = of(p.left) * of(p.right); }

private:
    long of(const Expression *e)
    {
        e->accept(*this);
        return result;
    }
};

int main()
{
    const Expression *e = new Product(new Sum(new Number(2), new Product(new Number(3), new Number(-4))),
                                      new Sum(new Number(5), new Number(6)));
    Printer printer;
    Evaluator evaluator;
    Visitor *visitors[] = { &printer, &evaluator };
    for (Visitor *v : visitors)
        e->accept(*v);
    std::printf(" = %ld after %d numbers\n", evaluator.result, evaluator.visits);
    delete e;
    std::printf("\n");
    return static_cast<int>(-evaluator.result);
}
