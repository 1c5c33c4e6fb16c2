// Dense switches: jump tables with default, shared labels, missing values, returns from arms, and a small machine.
#include <stdio.h>

static const char *digit_name(int d)
{
    switch (d) {
    case 0: return "zero";
    case 1: return "one";
    case 2: return "two";
    case 3: return "three";
    case 5: return "five";
    case 6: return "six";
    default: return "other";
    }
}

static int days(int month, int leap)
{
    switch (month) {
    case 4: case 6: case 9: case 11:
        return 30;
    case 2:
        return leap ? 29 : 28;
    case 1: case 3: case 5: case 7: case 8: case 10: case 12:
        return 31;
    }
    return -1;
}

enum op { PUSH, ADD, SUB, MUL, DUP, SWAP, JNZ, PRINT, HALT };

static int machine(const int *code)
{
    int stack[16], top = 0, steps = 0;
    for (int pc = 0;; steps++) {
        switch ((enum op)code[pc++]) {
        case PUSH: stack[top++] = code[pc++]; break;
        case ADD: top--; stack[top - 1] += stack[top]; break;
        case SUB: top--; stack[top - 1] -= stack[top]; break;
        case MUL: top--; stack[top - 1] *= stack[top]; break;
        case DUP: stack[top] = stack[top - 1]; top++; break;
        case SWAP: {
            int t = stack[top - 1];
            stack[top - 1] = stack[top - 2];
            stack[top - 2] = t;
            break;
        }
        case JNZ: pc = stack[--top] ? code[pc] : pc + 1; break;
        case PRINT: printf("machine %d\n", stack[top - 1]); break;
        case HALT: return steps;
        }
    }
}

int main(void)
{
    for (int d = -1; d < 8; d++)
        printf("%d %s\n", d, digit_name(d));
    for (int m = 0; m <= 13; m++)
        printf("%d:%d ", m, days(m, m & 1));
    printf("leap %d\n", days(2, 1));
    static const int code[] = { PUSH, 1, PUSH, 5, SWAP, PUSH, 3, MUL, PRINT, SWAP, PUSH, 1, SUB, DUP,
                                JNZ, 4, ADD, PRINT, HALT };
    int steps = machine(code);
    printf("steps %d\n", steps);
    int vowels = 0, spaces = 0, others = 0;
    for (const char *s = "Switch over every character"; *s; s++)
        switch (*s) {
        case 'a': case 'e': case 'i': case 'o': case 'u': vowels++; break;
        case ' ': spaces++; break;
        default: others++;
        }
    printf("letters %d %d %d\n", vowels, spaces, others);
    return steps;
}
