// fgets on empty input returns null and leaves the buffer alone; a reader built on it falls back to defaults.
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

struct settings {
    char name[16];
    int level;
};

static int read_line(char *buffer, int size)
{
    if (!fgets(buffer, size, stdin))
        return -1;
    size_t n = strlen(buffer);
    if (n && buffer[n - 1] == '\n')
        buffer[--n] = 0;
    return (int)n;
}

static struct settings read_settings(void)
{
    struct settings s = { "default", 7 };
    char line[32] = "untouched";
    int n = read_line(line, sizeof line);
    printf("first %d '%s'\n", n, line);
    if (n > 0)
        strncpy(s.name, line, sizeof s.name - 1);
    n = read_line(line, sizeof line);
    printf("second %d\n", n);
    if (n >= 0)
        s.level = atoi(line);
    return s;
}

int main(void)
{
    struct settings s = read_settings();
    printf("settings %s %d\n", s.name, s.level);
    char one[1] = { 'x' };
    int words = 0;
    char buffer[64];
    while (fgets(buffer, sizeof buffer, stdin))
        for (char *w = strtok(buffer, " \n"); w; w = strtok(NULL, " \n"))
            words++;
    printf("words %d eof %d kept %c\n", words, feof(stdin) != 0, one[0]);
    return s.level + words;
}
