// A walk that looks one node too far ahead reads a member of the null after the last node.
// sanitizer: undefined
#include <stdio.h>

struct node {
    int value;
    struct node *next;
};

static int count_pairs(const struct node *n)
{
    int pairs = 0;
    while (n) {
        if (n->value == n->next->value) //~ null-deref
            pairs++;
        n = n->next;
    }
    return pairs;
}

int main(void)
{
    struct node c = { 5, NULL }, b = { 5, &c }, a = { 4, &b };
    printf("pairs %d\n", count_pairs(&a));
    return 0;
}
