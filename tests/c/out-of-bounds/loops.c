// Loops that run over the end.
#include "../stubs.h"

void one_too_far_bad(void)
{
    int values[2];
    for (int i = 0; i <= 2; i++)
        values[i] = i; //~ out-of-bounds
}

void all_ok(void)
{
    int values[2];
    for (int i = 0; i < 2; i++)
        values[i] = i;
}

void downwards_ok(void)
{
    int values[3];
    for (int i = 2; i >= 0; i--)
        values[i] = i;
}

void downwards_bad(void)
{
    int values[2];
    for (int i = 2; i > 0; i--)
        values[i] = i; //~ out-of-bounds
}

void unsigned_downwards_bad(void)
{
    int values[2];
    for (unsigned i = 1; i < 5; i--)
        values[i] = 0;
    unsigned last = 0;
    values[last - 1] = 0; //~ out-of-bounds
}

int scan_bad(void)
{
    char text[2] = {'a', 'b'};
    int length = 0;
    while (text[length]) //~ out-of-bounds
        length++;
    return length;
}

int scan_ok(void)
{
    char text[3] = {'a', 'b', '\0'};
    int length = 0;
    while (text[length])
        length++;
    return length;
}

void long_loop_ok(void)
{
    int values[100];
    for (int i = 0; i < 100; i++)
        values[i] = i;
}

void long_loop_bad(void)
{
    int values[100];
    for (int i = 0; i <= 100; i++)
        values[i] = i; //~ out-of-bounds
}

// No path goes round so often, but the last round is seen.
void very_long_loop_bad(void)
{
    int values[1000];
    for (int i = 0; i <= 1000; i++)
        values[i] = i; //~ doomed out-of-bounds
}

int after_loop_bad(void)
{
    int values[3] = {1, 2, 3}, i;
    for (i = 0; i < 3; i++)
        if (values[i] == 7)
            break;
    return values[i]; //~ out-of-bounds
}

int after_loop_ok(void)
{
    int values[3] = {1, 2, 3}, i;
    for (i = 0; i < 3; i++)
        if (values[i] == 3)
            break;
    return values[i];
}

void step_of_two_ok(void)
{
    int values[5];
    for (int i = 0; i < 5; i += 2)
        values[i] = i;
}

void pairs_bad(void)
{
    int values[3];
    for (int i = 0; i < 3; i += 2)
        values[i] = values[i + 1] = i; //~ out-of-bounds
}
