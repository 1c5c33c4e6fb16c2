// memset clears a struct, and the pointer member that was set before is used as if it still were.
// sanitizer: undefined
#include <stdio.h>
#include <string.h>

struct buffer {
    char storage[8];
    char *cursor;
    int used;
};

static void reset(struct buffer *b) { memset(b, 0, sizeof *b); }

static void put(struct buffer *b, char c)
{
    *b->cursor = c; //~ null-deref
    b->cursor++;
    b->used++;
}

int main(void)
{
    struct buffer b;
    b.cursor = b.storage;
    b.used = 0;
    put(&b, 'a');
    printf("used %d\n", b.used);
    reset(&b);
    put(&b, 'b');
    return 0;
}
