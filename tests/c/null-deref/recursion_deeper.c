// The bound of recursion is that of loops.
// args: --unroll 6

static int walk(int depth, int *p)
{
    if (depth == 0)
        return *p;
    return walk(depth - 1, p);
}

int five_rounds_bad(void)
{
    return walk(5, 0); //~ null-deref
}
