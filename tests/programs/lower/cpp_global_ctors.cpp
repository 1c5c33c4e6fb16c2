// Global objects: construction in order of definition, dynamic initializers, init_priority, destruction after main.
#include <cstdio>

static int clock_ticks = 100;

struct Stage {
    const char *name;
    int at;
    Stage(const char *n) : name(n), at(clock_ticks++) { std::printf("+%s@%d\n", name, at); }
    ~Stage() { std::printf("-%s@%d\n", name, clock_ticks++); }
};

Stage first("first");
static Stage second("second");
int computed = clock_ticks * 2;
static int from_lambda = [] {
    std::printf("lambda %d\n", computed);
    return computed + 1;
}();

namespace {
Stage hidden("hidden");
const int dependent = from_lambda + hidden.at;
}

__attribute__((init_priority(200))) Stage early("early");
__attribute__((init_priority(300))) Stage less_early("less early");

struct Holder {
    Stage inner{ "inner" };
    int copy = inner.at;
    static Stage member;
};
Holder holder;
Stage Holder::member("member");

Stage array[2] = { "array0", "array1" };
const Stage &reference = Stage("bound");
int *pointer = new int(dependent);

struct Cleanup {
    ~Cleanup()
    {
        std::printf("cleanup %d\n", *pointer);
        delete pointer;
    }
} cleanup;

__attribute__((constructor)) static void plain_constructor() { std::printf("constructor attribute\n"); }
__attribute__((destructor)) static void plain_destructor() { std::printf("destructor attribute\n"); }

int main()
{
    std::printf("main %d %d %d\n", computed, from_lambda, dependent);
    std::printf("%s %s %s %d\n", first.name, Holder::member.name, reference.name, holder.copy);
    static Stage local("local");
    *pointer += local.at;
    std::printf("pointer %d\n", *pointer);
    return array[1].at & 0x7f;
}
