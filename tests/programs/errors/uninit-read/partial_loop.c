// A loop fills every second element, and a later loop tests all of them.
// sanitizer: memory
#include <stdio.h>

int main(void)
{
    short values[8];
    for (int i = 0; i < 8; i += 2)
        values[i] = (short)(i * 3);
    int large = 0;
    for (int i = 0; i < 8; i++)
        if (values[i] > 5) //~ uninit-read
            large++;
    printf("%d\n", large);
    return 0;
}
