// realloc grows a block, and the new tail is tested before it is written.
// sanitizer: memory
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *marks = calloc(2, sizeof *marks);
    if (!marks)
        return 1;
    marks = realloc(marks, 6 * sizeof *marks);
    if (!marks)
        return 1;
    marks[2] = 1;
    int set = 0;
    for (int i = 0; i < 3; i++)
        if (marks[i])
            set++;
    printf("%d\n", set);
    if (marks[4] == 1) //~ uninit-read
        set++;
    free(marks);
    return set > 2;
}
