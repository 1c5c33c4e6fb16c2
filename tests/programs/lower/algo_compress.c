// Run-length and Huffman coding: bit streams, priority selection, trees in arrays, and a round trip that must agree.
#include <stdio.h>
#include <stdint.h>
#include <string.h>

struct node {
    unsigned weight;
    short left, right;
    unsigned char symbol;
};

struct stream {
    unsigned char bytes[256];
    unsigned bits;
};

static struct node nodes[512];
static int used;
static struct {
    uint32_t code;
    unsigned char length;
} codes[256];

static void put_bit(struct stream *s, unsigned bit)
{
    s->bytes[s->bits >> 3] |= (unsigned char)(bit << (s->bits & 7));
    s->bits++;
}

static unsigned get_bit(const struct stream *s, unsigned at) { return s->bytes[at >> 3] >> (at & 7) & 1; }

static int take_lightest(unsigned char *taken)
{
    int best = -1;
    for (int i = 0; i < used; i++)
        if (!taken[i] && (best < 0 || nodes[i].weight < nodes[best].weight))
            best = i;
    if (best >= 0)
        taken[best] = 1;
    return best;
}

static int build(const char *text)
{
    unsigned count[256] = { 0 };
    unsigned char taken[512] = { 0 };
    for (; *text; text++)
        count[(unsigned char)*text]++;
    for (int c = 0; c < 256; c++)
        if (count[c])
            nodes[used++] = (struct node){ count[c], -1, -1, (unsigned char)c };
    for (;;) {
        int a = take_lightest(taken), b = take_lightest(taken);
        if (b < 0)
            return a;
        nodes[used] = (struct node){ nodes[a].weight + nodes[b].weight, (short)a, (short)b, 0 };
        used++;
    }
}

static void assign(int at, uint32_t code, unsigned char length)
{
    if (nodes[at].left < 0) {
        codes[nodes[at].symbol].code = code;
        codes[nodes[at].symbol].length = length;
        printf("'%c' %u bits %x\n", nodes[at].symbol, length, code);
        return;
    }
    assign(nodes[at].left, code, (unsigned char)(length + 1));
    assign(nodes[at].right, code | 1u << length, (unsigned char)(length + 1));
}

int main(void)
{
    const char *text = "she sells sea shells by the sea shore";
    int root = build(text);
    assign(root, 0, 0);
    struct stream s = { { 0 }, 0 };
    for (const char *p = text; *p; p++)
        for (int i = 0; i < codes[(unsigned char)*p].length; i++)
            put_bit(&s, codes[(unsigned char)*p].code >> i & 1);
    printf("%zu bytes become %u bits:", strlen(text), s.bits);
    for (unsigned i = 0; i < (s.bits + 7) / 8; i++)
        printf(" %02x", s.bytes[i]);
    char back[64];
    size_t n = 0;
    int at = root;
    for (unsigned i = 0; i < s.bits; i++) {
        at = get_bit(&s, i) ? nodes[at].right : nodes[at].left;
        if (nodes[at].left < 0) {
            back[n++] = (char)nodes[at].symbol;
            at = root;
        }
    }
    back[n] = 0;
    printf("\n%s\nsame %d\n", back, strcmp(text, back) == 0);
    return (int)s.bits;
}
