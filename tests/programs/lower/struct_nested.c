// Nested structs: copies of inner members, arrays inside structs, pointers into the middle, whole assignment.
#include <stdio.h>

struct vec { short x, y; };
struct box { struct vec low, high; };
struct shape {
    char kind;
    struct box bounds;
    struct {
        int count;
        struct vec points[4];
    } outline;
    struct shape *parent;
};

static struct box cover(struct shape s)
{
    struct box b = { s.outline.points[0], s.outline.points[0] };
    for (int i = 1; i < s.outline.count; i++) {
        struct vec p = s.outline.points[i];
        if (p.x < b.low.x) b.low.x = p.x;
        if (p.y < b.low.y) b.low.y = p.y;
        if (p.x > b.high.x) b.high.x = p.x;
        if (p.y > b.high.y) b.high.y = p.y;
    }
    return b;
}

static void show(const char *what, struct box b)
{
    printf("%s [%d,%d]-[%d,%d]\n", what, b.low.x, b.low.y, b.high.x, b.high.y);
}

static struct vec *corner(struct shape *s, int high) { return high ? &s->bounds.high : &s->bounds.low; }

static int height(const struct shape *s)
{
    int n = 0;
    for (; s; s = s->parent)
        n += s->bounds.high.y - s->bounds.low.y;
    return n;
}

int main(void)
{
    struct shape scene[3] = {
        { 'a', { { 0, 0 }, { 0, 0 } }, { 3, { { 1, 5 }, { -2, 3 }, { 4, -1 } } }, NULL },
        { .kind = 'b', .outline = { 4, { { 9, 9 }, { 8, 7 }, { 6, 5 }, { 4, 3 } } }, .parent = &scene[0] },
        { .kind = 'c', .outline.count = 1, .outline.points[0] = { 100, -100 }, .parent = scene + 1 },
    };
    for (int i = 0; i < 3; i++) {
        scene[i].bounds = cover(scene[i]);
        show("cover", scene[i].bounds);
    }
    *corner(&scene[1], 1) = scene[2].outline.points[0];
    corner(&scene[1], 0)->y -= 50;
    show("moved", scene[1].bounds);

    struct shape copy = scene[1];
    copy.outline.points[2] = copy.bounds.high;
    copy.parent->bounds.high.y = 77;
    show("through parent", scene[0].bounds);
    printf("copy %d original %d\n", copy.outline.points[2].x, scene[1].outline.points[2].x);
    scene[2].outline = copy.outline;
    show("assigned", cover(scene[2]));
    scene[0].bounds.low = scene[0].bounds.high = (struct vec){ 3, 4 };
    show("chained", scene[0].bounds);
    printf("heights %d %d\n", height(&scene[2]), height(&copy));
    printf("sizes %zu %zu %zu\n", sizeof(struct box), sizeof copy.outline, sizeof(struct shape));
    return height(&scene[0]) + scene[2].outline.count;
}
