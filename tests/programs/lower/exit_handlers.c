// exit with atexit handlers that run in reverse order, print, change state, and leave the status as given.
#include <stdio.h>
#include <stdlib.h>

static int order;
static char *kept;

static void first(void)
{
    printf("first %d\n", ++order);
    free(kept);
}

static void second(void) { printf("second %d\n", ++order); }

static void third(void)
{
    printf("third %d\n", ++order);
    kept[0] = 'K';
    fputs(kept, stdout);
    fputc('\n', stdout);
}

static int deep(int n)
{
    if (n == 0) {
        printf("leaving from the bottom\n");
        fflush(stdout);
        exit(37);
    }
    return deep(n - 1) + 1;
}

__attribute__((constructor)) static void before_main(void) { printf("before main %d\n", order); }

int main(void)
{
    kept = malloc(8);
    if (!kept)
        return 99;
    snprintf(kept, 8, "%s", "kept");
    if (atexit(first) || atexit(second) || atexit(third) || atexit(second))
        return 98;
    fwrite("raw bytes\n", 1, 10, stdout);
    fprintf(stdout, "main %d\n", order);
    return deep(5);
}
