// memcpy copies from a member pointer that was never set after the struct was zero-initialized.
// sanitizer: address
#include <stdio.h>
#include <string.h>

struct message {
    size_t length;
    const char *body;
};

static void render(const struct message *m, char *out)
{
    memcpy(out, m->body, m->length); //~ null-deref
    out[m->length] = 0;
}

int main(void)
{
    char out[16];
    struct message hello = { 5, "hello" }, empty = { .length = 4 };
    render(&hello, out);
    printf("%s\n", out);
    render(&empty, out);
    printf("%s\n", out);
    return 0;
}
