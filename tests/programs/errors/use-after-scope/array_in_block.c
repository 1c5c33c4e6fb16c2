// A string built in a block-local buffer is measured by strlen after the block.
// sanitizer: address
#include <stdio.h>
#include <string.h>

static int render(int verbose)
{
    const char *text = "plain";
    if (verbose) {
        char buffer[24];
        strcpy(buffer, "verbose text");
        text = buffer;
    }
    return (int)strlen(text); //~ use-after-scope
}

int main(void)
{
    printf("%d\n", render(0));
    printf("%d\n", render(1));
    return 0;
}
