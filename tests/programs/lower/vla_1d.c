// One-dimensional variable-length arrays: size from a parameter, sizeof at run time, recursion with growing frames.
#include <stdio.h>
#include <string.h>

static int sum_squares(int n)
{
    int values[n];
    for (int i = 0; i < n; i++)
        values[i] = i * i;
    int sum = 0;
    for (int i = n; i-- > 0;)
        sum += values[i];
    printf("n %d size %zu sum %d\n", n, sizeof values, sum);
    return sum;
}

static int is_palindrome(const char *s)
{
    size_t n = strlen(s);
    char reversed[n + 1];
    for (size_t i = 0; i < n; i++)
        reversed[i] = s[n - 1 - i];
    reversed[n] = 0;
    return strcmp(s, reversed) == 0;
}

static void merge_sort(int *a, int n)
{
    if (n < 2)
        return;
    int half = n / 2;
    merge_sort(a, half);
    merge_sort(a + half, n - half);
    int merged[n];
    for (int i = 0, l = 0, r = half; i < n; i++)
        merged[i] = r == n || (l < half && a[l] <= a[r]) ? a[l++] : a[r++];
    memcpy(a, merged, sizeof merged);
}

static long nested(int depth)
{
    long frame[depth + 1];
    for (int i = 0; i <= depth; i++)
        frame[i] = depth * 10 + i;
    long below = depth ? nested(depth - 1) : 0;
    long sum = 0;
    for (int i = 0; i <= depth; i++)
        sum += frame[i];
    return sum + 2 * below;
}

int main(void)
{
    for (int n = 1; n < 30; n += 7)
        sum_squares(n);
    printf("palindromes %d %d %d\n", is_palindrome("level"), is_palindrome("levels"), is_palindrome(""));
    int data[] = { 9, -4, 7, 7, 0, 123, -56, 8, 2, 1, -1 };
    int n = sizeof data / sizeof *data;
    merge_sort(data, n);
    for (int i = 0; i < n; i++)
        printf("%d%c", data[i], i == n - 1 ? '\n' : ' ');
    printf("nested %ld\n", nested(6));

    int size = 3;
    short fixed_after[size];
    size = 100;
    for (int i = 0; i < 3; i++)
        fixed_after[i] = (short)(i - 1);
    printf("still %zu, last %d\n", sizeof fixed_after, fixed_after[2]);
    double reals[size / 10];
    for (int i = 0; i < size / 10; i++)
        reals[i] = i / 4.0;
    printf("reals %g %zu\n", reals[9], sizeof reals / sizeof reals[0]);
    return (int)sizeof fixed_after;
}
