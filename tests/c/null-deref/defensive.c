// A callee that copes with null says nothing about its caller's pointer.
struct node { int count; };
struct node *lookup(int key);
void print(int number);

static void show(struct node *node)
{
    if (!node)
        return;
    print(node->count);
}

int show_first_ok(int key)
{
    struct node *node = lookup(key);
    show(node);
    return node->count;
}

int ask_first_bad(int key)
{
    struct node *node = lookup(key); //~ step #a1 "`lookup` returns the pointer"
    if (!node) //~ step #a2 "taking the branch where `lookup()` is null"
        print(key);
    return node->count; //~ null-deref #a "`node` is null and is dereferenced" cause unknown when "true"
}
