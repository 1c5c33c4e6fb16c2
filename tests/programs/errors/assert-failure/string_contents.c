// A text transformation is compared with the expected text and differs in one letter.
// sanitizer: assert
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void capitalize(char *s)
{
    int start = 1;
    for (; *s; s++) {
        if (start)
            *s = (char)toupper((unsigned char)*s);
        start = *s == ' ' || *s == '-';
    }
}

int main(void)
{
    char title[] = "the well-known text";
    capitalize(title);
    puts(title);
    assert(strcmp(title, "The Well-known Text") == 0); //~ assert-failure
    return 0;
}
