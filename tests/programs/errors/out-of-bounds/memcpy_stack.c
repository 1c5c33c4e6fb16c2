// memcpy trusts a length field that is larger than the local buffer it fills.
// sanitizer: address
#include <stdio.h>
#include <string.h>

struct packet {
    unsigned char length;
    unsigned char payload[40];
};

static int receive(const struct packet *p)
{
    unsigned char buffer[16];
    memset(buffer, 0, sizeof buffer);
    memcpy(buffer, p->payload, p->length); //~ out-of-bounds
    return buffer[3];
}

int main(void)
{
    struct packet p = { 10, { 1, 2, 3, 4 } };
    printf("%d\n", receive(&p));
    p.length = 24;
    printf("%d\n", receive(&p));
    return 0;
}
