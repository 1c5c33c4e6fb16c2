// A bubble sort with a wrong bound leaves the array unsorted, and the check after it fails.
// sanitizer: assert
#include <assert.h>
#include <stdio.h>

static void sort(int *a, int n)
{
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 2 - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
}

int main(void)
{
    int values[] = { 4, 3, 2, 5, 1 };
    sort(values, 5);
    for (int i = 1; i < 5; i++)
        assert(values[i - 1] <= values[i]); //~ assert-failure
    printf("sorted\n");
    return 0;
}
