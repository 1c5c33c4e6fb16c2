// Virtual inheritance: one shared base in a diamond, construction through VTTs, offsets to the base found at run time.
#include <cstdio>

struct Device {
    int id;
    explicit Device(int i) : id(i) { std::printf("Device(%d) ", i); }
    virtual ~Device() { std::printf("~Device "); }
    virtual int speed() const { return 1; }
    virtual const char *name() const { return "device"; }
};

struct Input : virtual Device {
    int keys = 10;
    Input() : Device(1) { std::printf("Input:%s ", name()); }
    ~Input() override { std::printf("~Input:%s ", name()); }
    int speed() const override { return keys * 2; }
    virtual int press(int k) { return keys += k; }
};

struct Output : virtual Device {
    double level = 0.5;
    Output() : Device(2) { std::printf("Output:%s ", name()); }
    ~Output() override { std::printf("~Output "); }
    const char *name() const override { return "output"; }
    virtual double raise(double by) { return level += by; }
};

struct Terminal : Input, Output {
    char tag = 't';
    Terminal() : Device(3) { std::printf("Terminal:%s ", name()); }
    ~Terminal() override { std::printf("~Terminal:%s ", name()); }
    double raise(double by) override { return Output::raise(by * 2) + id; }
};

struct Remote : Terminal {
    int lag = 40;
    Remote() : Device(4) {}
    int speed() const override { return Terminal::speed() - lag; }
};

static int describe(Device &d)
{
    std::printf("[%d %s %d] ", d.id, d.name(), d.speed());
    return d.speed();
}

static int use(Input *i, Output *o)
{
    i->press(5);
    double level = o->raise(0.25);
    std::printf("level %.2f ids %d %d\n", level, i->id, o->id);
    return describe(*i) + describe(*o);
}

int main()
{
    int total = 0;
    {
        Input alone;
        total += describe(alone);
    }
    std::printf("\n");
    {
        Terminal t;
        std::printf("\n");
        total += use(&t, &t);
        Device *a = static_cast<Input *>(&t), *b = static_cast<Output *>(&t);
        std::printf("one base %d\n", a == b);
    }
    std::printf("\n");
    {
        Remote r;
        r.id = 44;
        total += use(&r, &r);
        Terminal &as_terminal = r;
        Device copy = as_terminal;
        std::printf("copy %d %s %d\n", copy.id, copy.name(), copy.speed());
    }
    std::printf("\n");
    Device *owned = new Terminal;
    delete owned;
    std::printf("\ntotal %d\n", total);
    return total;
}
