// Multiple inheritance: several vtables in one object, adjusted this pointers, thunks, and conversions both ways.
#include <cstdio>

struct Reader {
    int position = 0;
    virtual int read() = 0;
    virtual const char *kind() const { return "reader"; }
    virtual ~Reader() { std::printf("~Reader "); }
};

struct Writer {
    int written = 0;
    virtual void write(int v) = 0;
    virtual const char *kind() const { return "writer"; }
    virtual Writer *self() { return this; }
    virtual ~Writer() { std::printf("~Writer "); }
};

struct Plain {
    long stamp = 7;
};

struct Buffer : Reader, Plain, Writer {
    int cells[4] = {};
    int read() override { return cells[position++ % 4]; }
    void write(int v) override { cells[written++ % 4] = v + static_cast<int>(stamp); }
    const char *kind() const override { return "buffer"; }
    Buffer *self() override { return this; }
    ~Buffer() override { std::printf("~Buffer "); }
};

struct Logged : Buffer {
    int log = 0;
    void write(int v) override
    {
        log = log * 10 + v;
        Buffer::write(v * 2);
    }
};

static void fill(Writer &w, int n)
{
    for (int i = 1; i <= n; i++)
        w.write(i);
}

static int drain(Reader *r, int n)
{
    int sum = 0;
    while (n--)
        sum = sum * 3 + r->read();
    return sum;
}

int main()
{
    Buffer b;
    Logged l;
    fill(b, 5);
    fill(l, 3);
    int first = drain(&b, 4), second = drain(&l, 4);
    std::printf("drained %d %d log %d\n", first, second, l.log);
    Writer *w = &l;
    Reader *r = &l;
    Plain *p = &l;
    std::printf("kinds %s %s\n", w->kind(), r->kind());
    std::printf("distinct %d %d\n", static_cast<void *>(w) != static_cast<void *>(r),
                static_cast<void *>(p) != static_cast<void *>(w));
    std::printf("same object %d %d\n", static_cast<Buffer *>(w) == static_cast<Buffer *>(r),
                static_cast<Logged *>(w) == &l);
    std::printf("offsets %td %td\n", reinterpret_cast<char *>(w) - reinterpret_cast<char *>(&l),
                reinterpret_cast<char *>(p) - reinterpret_cast<char *>(&l));
    std::printf("covariant %d\n", w->self() == w && l.self() == static_cast<Buffer *>(&l));
    Writer *nothing = nullptr;
    std::printf("null stays null %d\n", static_cast<Buffer *>(nothing) == nullptr);
    p->stamp = 1;
    w->write(9);
    std::printf("through plain %d\n", l.cells[3]);
    Writer *owned = new Logged;
    owned->write(4);
    delete owned;
    std::printf("\n");
    return second & 0x7f;
}
