// A pointer member is dereferenced before anything was stored in it.
// sanitizer: memory
#include <stdio.h>
#include <stdlib.h>

struct pair {
    int *left;
    int *right;
};

int main(void)
{
    int value = 4;
    struct pair *p = malloc(sizeof *p);
    if (!p)
        return 1;
    p->left = &value;
    printf("%d\n", *p->left);
    int sum = value + *p->right; //~ uninit-read
    printf("%d\n", sum);
    free(p);
    return 0;
}
