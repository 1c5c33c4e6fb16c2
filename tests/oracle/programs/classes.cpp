// C++: virtual and multiple inheritance, member pointers, exceptions, templates, lambdas, guards, RTTI.
#include <cstdio>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace shapes {
struct Shape {
  virtual ~Shape() {}
  virtual double area() const = 0;
  int id = 3;
};
struct Named { virtual const char *name() const { return "named"; } char pad; };
struct Square : Shape, virtual Named {
  explicit Square(double s) : side(s) {}
  double area() const override { return side * side; }
  double side;
  static int count;
};
int Square::count = 1;
} // namespace shapes

template <typename T, int N> struct Ring {
  T items[N];
  T &operator[](unsigned i) { return items[i % N]; }
  template <typename F> void each(F &&f) { for (T &item : items) f(item); }
};

struct Guarded { int value; Guarded() : value(Factory()) {} ~Guarded() { std::puts("bye"); } static int Factory(); };
int Guarded::Factory() { static Guarded *once = new Guarded(); return once ? 1 : 2; }
thread_local std::string scratch = "scratch";
static Guarded global;

int risky(int n) noexcept(false) {
  std::unique_ptr<shapes::Square> square(new shapes::Square(n));
  try {
    if (n > 3) throw std::string("large");
    if (n < 0) throw n;
    return dynamic_cast<shapes::Named *>(square.get()) != nullptr;
  } catch (const std::string &text) {
    return static_cast<int>(text.size());
  } catch (int code) {
    return code;
  } catch (...) {
    throw;
  }
}

long members(shapes::Square &s) {
  double (shapes::Shape::*method)() const = &shapes::Shape::area;
  int shapes::Shape::*field = &shapes::Shape::id;
  Ring<int, 5> ring{};
  int total = 0;
  ring.each([&, bias = 2](int &item) { total += item + bias + s.*field; });
  std::vector<std::string> words{"one", "two"};
  for (auto &[first, second] : std::vector<std::pair<int, char>>{{1, 'a'}}) total += first + second;
  return total + static_cast<long>((s.*method)()) + static_cast<long>(words.size()) + ring[7];
}

constexpr int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
enum class Mode : unsigned char { Off, On = fibonacci(6) };
bool enabled(Mode mode) { return mode == Mode::On && !scratch.empty() && global.value; }
