// Multi-dimensional arrays: row-major layout, partial indexing, arrays of strings, and loops over three dimensions.
#include <stdio.h>
#include <string.h>

static int cube[3][4][5];
static const char names[3][6] = { "one", "two", "three" };

static void fill(int a[][4][5], int planes)
{
    for (int i = 0; i < planes; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++)
                a[i][j][k] = i * 100 + j * 10 + k;
}

static int diagonal(int (*plane)[5], int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += plane[i][i];
    return sum;
}

static void transpose(double m[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) {
            double t = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = t;
        }
}

static unsigned life_step(unsigned char grid[8][8])
{
    unsigned char next[8][8];
    unsigned alive = 0;
    for (int r = 0; r < 8; r++)
        for (int c = 0; c < 8; c++) {
            int n = 0;
            for (int dr = -1; dr <= 1; dr++)
                for (int dc = -1; dc <= 1; dc++)
                    if (dr || dc)
                        n += grid[(r + dr + 8) % 8][(c + dc + 8) % 8];
            alive += next[r][c] = n == 3 || (n == 2 && grid[r][c]);
        }
    memcpy(grid, next, sizeof next);
    return alive;
}

int main(void)
{
    fill(cube, 3);
    printf("cube %d %d %d\n", cube[2][3][4], *(*(*(cube + 1) + 2) + 3), (*cube[0])[1]);
    printf("diagonals %d %d\n", diagonal(cube[0], 4), diagonal(cube[2], 4));
    int *flat = &cube[0][0][0];
    printf("flat %d %d, sizes %zu %zu %zu\n", flat[3], cube[1][0][0], sizeof cube, sizeof cube[0], sizeof cube[0][0]);

    double m[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8 } };
    transpose(m);
    for (int i = 0; i < 3; i++)
        printf("%g %g %g\n", m[i][0], m[i][1], m[i][2]);
    for (int i = 0; i < 3; i++)
        printf("%s %zu %c\n", names[i], strlen(names[i]), names[i][i]);

    unsigned char grid[8][8] = { [0][1] = 1, [1][2] = 1, [2] = { 1, 1, 1 } };
    for (int step = 0; step < 3; step++) {
        unsigned alive = life_step(grid);
        printf("alive %u:", alive);
        for (int r = 0; r < 8; r++) {
            unsigned row = 0;
            for (int c = 0; c < 8; c++)
                row = row << 1 | grid[r][c];
            printf(" %02x", row);
        }
        putchar('\n');
    }
    return diagonal(cube[1], 4) & 0x7f;
}
