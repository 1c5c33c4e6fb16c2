// Static objects with flexible array members and tails, unions in initializers, and strings as array members.
#include <stdio.h>
#include <string.h>

struct list {
    int count;
    short values[];
};

static struct list three = { 3, { 10, -20, 30 } };
static struct list none = { 0, {} };
static const struct list five = { .count = 5, .values = { [4] = 4, [1] = 1 } };

struct message {
    unsigned char kind;
    char text[];
};

static struct message hello = { 1, { "hello" } }, bytes = { 2, { 'r', 'a', 'w', 0 } };
static struct message *const messages[] = { &hello, &bytes };

union any {
    char first[4];
    double real;
    struct {
        short low, high;
    } pair;
};

static union any by_first = { "abc" }, by_real = { .real = 1.0 }, by_pair = { .pair = { 1, 2 } };
static union any array[3] = { [1].real = -2.0, [2].pair.high = 0x4142 };

struct tree {
    int value;
    const struct tree *children[3];
};

static const struct tree leaf_a = { 1, { NULL } }, leaf_b = { 2, { NULL } };
static const struct tree root = { 5,
                                  { &leaf_a, &(const struct tree){ 7, { &leaf_b, &leaf_a } }, &leaf_b } };

static int weigh(const struct tree *t, int depth)
{
    int total = t->value * depth;
    for (int i = 0; i < 3; i++)
        if (t->children[i])
            total += weigh(t->children[i], depth + 1);
    return total;
}

static int sum(const struct list *l)
{
    int total = 0;
    for (int i = 0; i < l->count; i++)
        total = total * 2 + l->values[i];
    return total;
}

int main(void)
{
    printf("sums %d %d %d\n", sum(&three), sum(&none), sum(&five));
    three.values[1] = 1000;
    printf("changed %d size %zu\n", sum(&three), sizeof three);
    for (int i = 0; i < 2; i++)
        printf("message %d %s %zu\n", messages[i]->kind, messages[i]->text, strlen(messages[i]->text));
    hello.text[0] = 'J';
    printf("%s\n", hello.text);
    printf("unions %s %g %d %d\n", by_first.first, by_real.real, by_pair.pair.low, by_pair.pair.high);
    printf("array %g %c%c %g\n", array[1].real, array[2].first[2], array[2].first[3], array[0].real);
    printf("tree %d\n", weigh(&root, 1));
    return weigh(&root, 2);
}
