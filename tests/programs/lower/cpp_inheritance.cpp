// Single inheritance: members of bases, hiding, overriding through references, protected access, slicing, downcasts.
#include <cstdio>

class Shape {
    int id_;

protected:
    double scale = 1;
    static int count;

public:
    explicit Shape(int id) : id_(id) { count++; }
    Shape(const Shape &o) : id_(o.id_ + 100), scale(o.scale) { count++; }
    virtual ~Shape() { count--; }
    virtual double area() const { return 0; }
    virtual const char *name() const { return "shape"; }
    int id() const { return id_; }
    void grow(double by) { scale *= by; }
    static int alive() { return count; }
};
int Shape::count = 0;

class Rectangle : public Shape {
protected:
    double w, h;

public:
    Rectangle(int id, double w, double h) : Shape(id), w(w), h(h) {}
    double area() const override { return w * h * scale * scale; }
    const char *name() const override { return "rectangle"; }
    double id() const { return Shape::id() + 0.5; }
};

class Square final : public Rectangle {
public:
    Square(int id, double side) : Rectangle(id, side, side) {}
    const char *name() const override { return "square"; }
    double diagonal_squared() const { return w * w + h * h; }
};

class Circle : public Shape {
    double r;

public:
    Circle(int id, double r) : Shape(id), r(r) {}
    double area() const override { return Shape::area() + 3.125 * r * r * scale; }
};

static void show(const Shape &s) { std::printf("%d %s %.3f\n", s.id(), s.name(), s.area()); }

static double total(const Shape *const *shapes, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += shapes[i]->area();
    return sum;
}

int main()
{
    Rectangle r(1, 2, 3);
    Square s(2, 1.5);
    Circle c(3, 4);
    r.grow(2);
    c.grow(0.5);
    const Shape *all[] = { &r, &s, &c };
    for (const Shape *p : all)
        show(*p);
    std::printf("total %.4f alive %d\n", total(all, 3), Shape::alive());
    std::printf("hidden %.1f %d\n", r.id(), static_cast<Shape &>(r).id());
    {
        Shape sliced = s;
        show(sliced);
        std::printf("alive %d\n", Shape::alive());
    }
    const Square &back = static_cast<const Square &>(*all[1]);
    std::printf("diagonal %.2f qualified %s\n", back.diagonal_squared(), back.Rectangle::name());
    Shape *made = new Square(9, 3);
    show(*made);
    delete made;
    return Shape::alive() * 10 + static_cast<int>(r.area());
}
