// The string.h functions on ordinary, empty and overlapping-prefix strings: lengths, copies, comparison, search, spans.
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

static int sign(int v) { return (v > 0) - (v < 0); }

static void at(const char *what, const char *base, const char *found)
{
    if (found)
        printf("%s %d ", what, (int)(found - base));
    else
        printf("%s none ", what);
}

int main(void)
{
    const char *text = "the quick brown fox jumps";
    char buffer[64];
    printf("lengths %zu %zu %zu\n", strlen(text), strlen(""), strlen(text + 20));

    strcpy(buffer, "alpha");
    strcat(buffer, "-beta");
    strncat(buffer, "-gamma-delta", 6);
    printf("%s %zu\n", buffer, strlen(buffer));
    memset(buffer, '#', sizeof buffer);
    strncpy(buffer, "pad", 6);
    printf("strncpy %s %d %d %c\n", buffer, buffer[3], buffer[5], buffer[6]);
    strncpy(buffer, "too long", 3);
    buffer[3] = 0;
    printf("strncpy %s\n", buffer);

    printf("compare %d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("same", "same"),
           sign(strcmp("pre", "prefix")));
    printf("compare high %d\n", sign(strcmp("\xff", "a")));
    printf("prefix %d %d %d\n", strncmp("prefix", "pretext", 3), sign(strncmp("prefix", "pretext", 4)),
           strncmp("x", "y", 0));
    at("strchr", text, strchr(text, 'q'));
    at("strrchr", text, strrchr(text, 'o'));
    at("end", text, strchr(text, 0));
    at("missing", text, strchr(text, 'Z'));
    at("strstr", text, strstr(text, "own"));
    at("empty", text, strstr(text, ""));
    at("absent", text, strstr(text, "foxy"));
    at("strpbrk", text, strpbrk(text, "xyz"));
    at("memchr", text, memchr(text, 'j', strlen(text)));
    putchar('\n');
    printf("spans %zu %zu %zu\n", strspn(text, "eht "), strcspn(text, "aeiou"), strspn("", "abc"));

    char *copy = strdup(text);
    if (!copy)
        return 99;
    for (char *p = copy; *p; p++)
        if (*p == ' ')
            *p = '_';
    printf("%s\n", copy);
    int words = 0;
    for (char *token = strtok(copy, "_"); token; token = strtok(NULL, "_u")) {
        printf("[%s]", token);
        words++;
    }
    printf(" %d\n", words);
    free(copy);
    int palindromes = 0;
    const char *candidates[] = { "level", "abba", "word", "x", "" };
    for (int i = 0; i < 5; i++) {
        size_t n = strlen(candidates[i]), k = 0;
        while (k < n / 2 && candidates[i][k] == candidates[i][n - 1 - k])
            k++;
        palindromes += k == n / 2;
    }
    return palindromes * 10 + words;
}
