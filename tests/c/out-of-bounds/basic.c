// Accesses outside of objects whose size is known.
#include "../stubs.h"

struct packet {
    int length;
    char bytes[8];
};

static int table[4] = {1, 2, 3, 4};
static const char name[] = "name";

int constant_index_bad(void)
{
    int values[4] = {1, 2, 3, 4};
    return values[4]; //~ out-of-bounds
}

int last_index_ok(void)
{
    int values[4] = {1, 2, 3, 4};
    return values[3];
}

int negative_index_bad(void)
{
    int values[4] = {1, 2, 3, 4};
    int i = -1;
    return values[i]; //~ out-of-bounds
}

int pointer_moved_back_ok(void)
{
    int values[4] = {1, 2, 3, 4};
    int *p = values + 3;
    return p[-3];
}

int pointer_past_end_ok(void)
{
    int values[2] = {1, 2}, sum = 0;
    for (int *p = values; p != values + 2; p++)
        sum += *p;
    return sum;
}

int pointer_at_end_bad(void)
{
    int values[2] = {1, 2};
    int *end = values + 2;
    return *end; //~ out-of-bounds
}

int global_bad(void)
{
    int i = 4;
    return table[i]; //~ out-of-bounds
}

int global_ok(void)
{
    int i = 3;
    return table[i];
}

int literal_bad(void)
{
    const char *text = "abc";
    return text[4]; //~ out-of-bounds
}

int terminator_ok(void)
{
    const char *text = "abc";
    return text[3];
}

int constant_array_bad(void)
{
    int i = sizeof name;
    return name[i]; //~ out-of-bounds
}

void heap_bad(void)
{
    int *p = malloc(4); //~ step #a1 "the block is allocated"
    if (!p)
        return;
    p[1] = 1;
    //~^ out-of-bounds #a "4 bytes are written at offset 4 of a heap block, which has 4 bytes" cause program
    free(p);
}

void bytes_instead_of_elements_bad(void)
{
    int *p = malloc(3);
    if (!p)
        return;
    *p = 1; //~ out-of-bounds
    free(p);
}

void heap_ok(void)
{
    int *p = malloc(2 * sizeof *p);
    if (!p)
        return;
    p[1] = 1;
    free(p);
}

void pointer_size_bad(void)
{
    struct packet *packet = malloc(sizeof packet); //~ step #b1 "the block is allocated"
    if (!packet)
        return;
    packet->bytes[7] = 0;
    //~^ out-of-bounds #b "1 byte is written at offset 11 of a heap block, which has 8 bytes" cause program
    free(packet);
}

void terminator_forgotten_bad(void)
{
    char *copy = malloc(4);
    if (!copy)
        return;
    copy[4] = '\0'; //~ out-of-bounds
    free(copy);
}

void next_member_ok(struct packet *packet)
{
    packet->bytes[7] = 1;
}

void partly_outside_bad(void)
{
    char bytes[6] __attribute__((aligned(4))) = {0};
    int *p = (int *)(bytes + 4);
    *p = 1; //~ out-of-bounds
}

void cast_inside_ok(void)
{
    char bytes[8] __attribute__((aligned(4))) = {0};
    int *p = (int *)(bytes + 4);
    *p = 1;
}

void memset_bad(void)
{
    int values[4];
    memset(values, 0, 5 * sizeof values[0]); //~ out-of-bounds
}

void memset_ok(void)
{
    int values[4];
    memset(values, 0, 4 * sizeof values[0]);
}

void memcpy_source_bad(int *to)
{
    int values[2] = {1, 2};
    memcpy(to, values, 3 * sizeof values[0]); //~ out-of-bounds
}

void memcpy_of_nothing_ok(void)
{
    int values[2] = {1, 2};
    memcpy(values + 2, values, 0);
}

void strcpy_bad(void)
{
    char small[4];
    strcpy(small, "four"); //~ out-of-bounds
}

void strcpy_ok(void)
{
    char small[5];
    strcpy(small, "four");
}

void shrunk_bad(void)
{
    int *p = calloc(4, sizeof *p);
    if (!p)
        return;
    int *q = realloc(p, 2 * sizeof *q);
    if (!q) {
        free(p);
        return;
    }
    q[2] = 1; //~ out-of-bounds
    free(q);
}

void grown_ok(void)
{
    int *p = calloc(2, sizeof *p);
    if (!p)
        return;
    int *q = realloc(p, 4 * sizeof *q);
    if (!q) {
        free(p);
        return;
    }
    q[2] = 1;
    free(q);
}

int matrix_row_ok(void)
{
    int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
    return matrix[1][2];
}

int matrix_bad(void)
{
    int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int row = 2;
    return matrix[row][0]; //~ out-of-bounds
}

int union_ok(void)
{
    union { char bytes[8]; int number; } cell;
    cell.number = 1;
    cell.bytes[7] = 1;
    return cell.bytes[7];
}

int union_bad(void)
{
    union { char bytes[4]; int number; } cell;
    cell.number = 1;
    char *p = cell.bytes;
    return p[4]; //~ out-of-bounds
}
