// Two-dimensional variable-length arrays: strides computed at run time, VLA parameters, pointers to VLA rows, typedefs.
#include <stdio.h>
#include <stdlib.h>

static void fill(int rows, int columns, int m[rows][columns])
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            m[r][c] = r * 10 + c;
}

static long sum_column(int rows, int columns, int (*m)[columns], int column)
{
    long sum = 0;
    for (int (*row)[columns] = m; row < m + rows; row++)
        sum += (*row)[column];
    return sum;
}

static void multiply(int n, int k, int m, const int a[n][k], const int b[k][m], int out[n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            out[i][j] = 0;
            for (int l = 0; l < k; l++)
                out[i][j] += a[i][l] * b[l][j];
        }
}

static void show(int rows, int columns, int m[][columns])
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            printf("%d%c", m[r][c], c == columns - 1 ? '\n' : ' ');
}

int main(void)
{
    int rows = 3, columns = 4;
    int a[rows][columns], b[columns][rows + 2];
    fill(rows, columns, a);
    fill(columns, rows + 2, b);
    show(rows, columns, a);
    int product[rows][rows + 2];
    multiply(rows, columns, rows + 2, a, b, product);
    show(rows, rows + 2, product);
    printf("sizes %zu %zu %zu\n", sizeof a, sizeof a[0], sizeof product / sizeof product[0][0]);
    printf("column %ld %ld\n", sum_column(rows, columns, a, 3), sum_column(rows - 1, columns, a + 1, 0));

    typedef double row_type[columns * 2];
    columns = 1000;
    row_type *heap = malloc(3 * sizeof *heap);
    if (!heap)
        return 99;
    for (int r = 0; r < 3; r++)
        for (unsigned c = 0; c < sizeof *heap / sizeof **heap; c++)
            heap[r][c] = r + c / 8.0;
    printf("heap %g %g size %zu\n", heap[2][7], heap[1][0], sizeof(row_type));
    free(heap);

    int depth = 2, height = 3, width = 5;
    unsigned char cube[depth][height][width];
    for (int d = 0; d < depth; d++)
        for (int h = 0; h < height; h++)
            for (int w = 0; w < width; w++)
                cube[d][h][w] = (unsigned char)(d * 100 + h * 10 + w);
    unsigned char(*plane)[width] = cube[1];
    printf("cube %d %d %zu\n", plane[2][4], cube[0][1][3], sizeof cube);
    return plane[1][1];
}
