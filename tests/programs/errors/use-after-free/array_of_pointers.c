// One entry of an array of pointers is freed by a clean-up loop, and its struct member is read later.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

struct item {
    int weight;
    int keep;
};

int main(void)
{
    struct item *items[5];
    for (int i = 0; i < 5; i++) {
        items[i] = malloc(sizeof **items);
        if (!items[i])
            return 1;
        items[i]->weight = i * 10;
        items[i]->keep = i != 3;
    }
    for (int i = 0; i < 5; i++)
        if (!items[i]->keep)
            free(items[i]);
    int total = items[0]->weight + items[1]->weight + items[2]->weight + items[4]->weight;
    free(items[0]);
    free(items[1]);
    free(items[2]);
    free(items[4]);
    printf("%d\n", total);
    total += items[3]->weight; //~ use-after-free
    return total & 1;
}
