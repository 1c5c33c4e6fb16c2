// Wide and Unicode literals: char16_t, char32_t, wchar_t and UTF-8 strings, escapes, and encoders written by hand.
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
#include <uchar.h>

static const wchar_t wide[] = L"wide \u00e9\u20ac";
static const char16_t utf16[] = u"pair \U0001F600";
static const char32_t utf32[] = U"one \U0001F600";
static const char utf8[] = u8"\u00e9\u20ac\U0001F600";
static const char escapes[] = "\a\b\t\n\v\f\r\\\"\?\x41\101\0end";
static const wchar_t *const words[] = { L"first", L"second" };

static size_t wide_length(const wchar_t *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

static int encode(char32_t c, unsigned char *out)
{
    if (c < 0x80)
        return out[0] = (unsigned char)c, 1;
    if (c < 0x800) {
        out[0] = (unsigned char)(0xc0 | c >> 6);
        out[1] = (unsigned char)(0x80 | (c & 63));
        return 2;
    }
    int n = c < 0x10000 ? 3 : 4;
    out[0] = (unsigned char)((n == 3 ? 0xe0 : 0xf0) | c >> (6 * (n - 1)));
    for (int i = 1; i < n; i++)
        out[i] = (unsigned char)(0x80 | (c >> (6 * (n - 1 - i)) & 63));
    return n;
}

int main(void)
{
    printf("sizes %zu %zu %zu %zu %zu\n", sizeof wide, sizeof utf16, sizeof utf32, sizeof utf8, sizeof escapes);
    for (size_t i = 0; wide[i]; i++)
        printf("%x ", (unsigned)wide[i]);
    putchar('\n');
    for (size_t i = 0; utf16[i]; i++)
        printf("%x ", utf16[i]);
    putchar('\n');
    uint32_t joined = 0x10000 + ((utf16[5] - 0xd800u) << 10) + (utf16[6] - 0xdc00u);
    printf("joined %x same %d\n", joined, joined == utf32[4]);
    for (size_t i = 0; i < sizeof utf8; i++)
        printf("%02x ", (unsigned char)utf8[i]);
    putchar('\n');
    unsigned char out[4];
    char32_t samples[] = { 'A', 0xe9, 0x20ac, 0x1F600 };
    for (int s = 0; s < 4; s++) {
        int n = encode(samples[s], out);
        for (int i = 0; i < n; i++)
            printf("%02x", out[i]);
        putchar(' ');
    }
    putchar('\n');
    for (size_t i = 0; i < sizeof escapes; i++)
        printf("%d ", escapes[i]);
    printf("\nwords %zu %zu %c\n", wide_length(words[0]), wide_length(words[1]), (char)words[1][3]);
    printf("multi %d %d\n", L'x' == 'x', u'\u20ac' + U'\U0001F600' - 0x1F600);
    return (int)wide_length(wide);
}
