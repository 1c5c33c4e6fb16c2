// A callee whose loop was cut is entered again with the constants of the call.

static void zero(int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

int one_too_many_bad(void)
{
    int a[3];
    zero(a, 4); //~ out-of-bounds
    return a[0];
}

int exactly_ok(void)
{
    int a[4];
    zero(a, 4);
    return a[0];
}
