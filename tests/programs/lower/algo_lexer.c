// A table-driven lexer: character classes, state tables, bit sets of letters, arrays of structs, early exits.
#include <stdio.h>
#include <string.h>
#include <ctype.h>
#include <stdint.h>

enum class { SPACE, LETTER, DIGIT, QUOTE, SYMBOL, END, CLASSES };
enum state { START, WORD, NUMBER, STRING, DONE, BAD, STATES };

static const unsigned char next_state[DONE][CLASSES] = {
    [START] = { START, WORD, NUMBER, STRING, DONE, DONE },
    [WORD] = { DONE, WORD, WORD, BAD, DONE, DONE },
    [NUMBER] = { DONE, BAD, NUMBER, BAD, DONE, DONE },
    [STRING] = { STRING, STRING, STRING, DONE, STRING, BAD },
};

struct token {
    enum state kind;
    uint16_t offset, length;
};

static enum class class_of(char c)
{
    unsigned char u = (unsigned char)c;
    if (!u)
        return END;
    return isspace(u) ? SPACE : isalpha(u) || u == '_' ? LETTER : isdigit(u) ? DIGIT : u == '"' ? QUOTE : SYMBOL;
}

static int lex(const char *text, struct token *out, int room)
{
    int n = 0;
    const char *at = text;
    while (n < room) {
        while (class_of(*at) == SPACE)
            at++;
        if (!*at)
            break;
        const char *begin = at;
        enum state state = START, before = START;
        while (state != DONE && state != BAD) {
            before = state;
            state = (enum state)next_state[state][class_of(*at)];
            if (state == WORD || state == NUMBER || state == STRING || (state == DONE && before == START))
                at++;
        }
        if (before == STRING && state == DONE)
            at++;
        if (state == BAD)
            return -(int)(at - text) - 1;
        out[n++] = (struct token){ before, (uint16_t)(begin - text), (uint16_t)(at - begin) };
    }
    return n;
}

static uint32_t letters(const char *text, const struct token *t)
{
    uint32_t set = 0;
    for (int i = 0; i < t->length; i++) {
        char c = (char)tolower((unsigned char)text[t->offset + i]);
        if (c >= 'a' && c <= 'z')
            set |= 1u << (c - 'a');
    }
    return set;
}

int main(void)
{
    static const char names[] = "SWN\"";
    const char *inputs[] = { "alpha = beta2 + 42;", "say \"hello world\" (x)", "9lives", "\"open", "  ", "a\"b" };
    struct token tokens[16];
    uint32_t all = 0;
    int total = 0;
    for (int i = 0; i < 6; i++) {
        int n = lex(inputs[i], tokens, 16);
        printf("%s -> %d:", inputs[i], n);
        for (int t = 0; t < n; t++) {
            printf(" %c<%.*s>", names[tokens[t].kind], tokens[t].length, inputs[i] + tokens[t].offset);
            all |= letters(inputs[i], &tokens[t]);
            total += tokens[t].length;
        }
        putchar('\n');
    }
    printf("letters");
    for (int c = 0; c < 26; c++)
        if (all >> c & 1)
            printf(" %c", 'a' + c);
    printf("\ntotal %d bits %d\n", total, __builtin_popcount(all));
    return total;
}
