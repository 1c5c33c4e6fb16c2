// A callee stores the address of its own local in the caller's struct.
// sanitizer: address
#include <stdio.h>

struct view {
    const char *text;
    int length;
};

static void describe(int v, struct view *out)
{
    char buffer[16];
    out->length = snprintf(buffer, sizeof buffer, "<%d>", v);
    out->text = buffer;
}

int main(void)
{
    struct view view;
    describe(42, &view);
    printf("%d\n", view.length);
    char first = view.text[0]; //~ use-after-scope
    return first == 0;
}
