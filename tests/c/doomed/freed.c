// args: --only doomed
// Memory that was freed on every way, or on some.
#include "../stubs.h"

struct buffer { char *data; int len; };

int read_after_free_bad(struct buffer *buffer)
{
    free(buffer);
    return buffer->len; //~ doomed use-after-free "freed"
}

int read_before_free_ok(struct buffer *buffer)
{
    int len = buffer->len;
    free(buffer);
    return len;
}

// Freed in one branch only: but that branch is doomed.
void freed_in_error_branch_bad(struct buffer *buffer)
{
    if (buffer->len < 0) //~ step #a1 "taking the branch where `buffer->len < 0`"
        free(buffer); // every execution that comes here fails below //~ step #a2 "the block is freed"
    buffer->len = 0;
    //~^ doomed use-after-free #a "`buffer` was freed before; every execution that reaches line 24 fails" cause program
}

void freed_and_left_ok(struct buffer *buffer)
{
    if (buffer->len < 0) {
        free(buffer);
        return;
    }
    buffer->len = 0;
}

void freed_twice_bad(char *data)
{
    if (data[0] > 3)
        free(data); // every execution that comes here fails below
    free(data);     //~ doomed double-free "freed"
}

// Null may be freed as often as one likes.
void null_freed_twice_ok(char *data, int n)
{
    if (n > 3)
        free(data);
    free(data);
}

void freed_by_flag_ok(char *data, int n)
{
    if (n > 3)
        free(data);
    if (n <= 3)
        free(data);
}

void set_anew_ok(struct buffer *buffer)
{
    free(buffer->data);
    buffer->data = malloc(8);
    if (buffer->data)
        buffer->data[0] = 1;
}

// The member is the same as before.
void member_freed_bad(struct buffer *buffer)
{
    free(buffer->data);
    buffer->data[0] = 1; //~ doomed use-after-free "freed"
}

struct node { struct node *next; };

void free_list_ok(struct node *node)
{
    while (node) {
        struct node *next = node->next;
        free(node);
        node = next;
    }
}

void free_list_bad(struct node *node)
{
    while (node) {
        free(node);
        node = node->next; //~ doomed use-after-free "freed"
    }
}

void free_null_ok(void)
{
    char *data = NULL;
    free(data);
    free(data);
}

void local_is_freed_bad(int k)
{
    char data[8];
    if (k)
        free(data); //~ doomed invalid-free "was not allocated"
}

void kept_by_others_ok(struct buffer *buffer)
{
    char *old = buffer->data;
    free(old);
    use(buffer);
    buffer->data[0] = 1;
}
