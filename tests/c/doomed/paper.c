// args: --only doomed
// The examples of Hoenicke et al. (FM 2009), Figures 1, 2, 3 and 6.
#include "../stubs.h"


// TRIVIAL, Fig. 1.
int access_trivial_bad(int *ptr)
{
    if (ptr)
        *ptr = 0;
    else
        printf("%d", *ptr); //~ doomed null-deref "`ptr` is null"
    return 0;
}

// LOOP, Fig. 2: the loop is left with -1.
int get_min_loop_bad(int *a, int x)
{
    int i, j, temp;
    for (i = x - 1; i >= 0; i--) {
        for (j = 1; j <= i; j++) {
            if (a[j - 1] > a[j]) {
                temp = a[j - 1];
                a[j - 1] = a[j];
                a[j] = temp;
            }
        }
    }
    return a[i]; //~ doomed out-of-bounds "negative"
}

// COMPLEX, Fig. 3: works for those who know that the key is in the tree.
struct entry {
    struct entry *left;
    struct entry *right;
    int key;
    void *data;
};

void update_complex_ok(struct entry *root, int key, void *data)
{
    struct entry *x = root;
    while (x->key != key) {
        if (key < x->key)
            x = x->left;
        else
            x = x->right;
    }
    x->data = data;
}

// PATHPROG, Fig. 6: what dooms the line is an assignment before the decision.
int path_prog_bad(int k)
{
    int *i = 0;
    if (k != 0)
        *i = 3; //~ doomed null-deref "`i` is null"
    return 0;
}
