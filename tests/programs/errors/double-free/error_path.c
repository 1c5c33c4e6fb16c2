// An error path frees the buffer and then falls into the common clean-up that frees it again.
// sanitizer: address
#include <stdio.h>
#include <stdlib.h>

static int process(int fail)
{
    int status = -1;
    char *buffer = malloc(32);
    if (!buffer)
        return -2;
    buffer[0] = 'b';
    if (fail) {
        free(buffer);
        goto out;
    }
    status = buffer[0];
out:
    free(buffer); //~ double-free
    return status;
}

int main(void)
{
    printf("%d\n", process(0));
    printf("%d\n", process(1));
    return 0;
}
