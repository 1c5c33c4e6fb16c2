// Instances of templates, namespaces, names with parameters.
namespace geometry { template <class T, int N> struct vec { T v[N]; T dot(const vec &o) const; }; }
template <class T, int N> T geometry::vec<T, N>::dot(const vec &o) const { T s{}; for (int i = 0; i < N; i++) s += v[i] * o.v[i]; return s; }
double use(geometry::vec<double, 3> &a) { return a.dot(a); }
