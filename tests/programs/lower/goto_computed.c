// Computed goto: a threaded interpreter whose label table drives indirect branches, and a label kept in a variable.
#include <stdio.h>

enum { OP_LOAD, OP_ADD, OP_MUL, OP_DEC, OP_LOOP, OP_OUT, OP_END };

static long interpret(const unsigned char *code)
{
    static const void *const table[] = { &&load, &&add, &&mul, &&dec, &&loop, &&out, &&end };
    long registers[4] = { 0 };
    const unsigned char *pc = code;
    int steps = 0;
#define NEXT do { steps++; goto *table[*pc++]; } while (0)
    NEXT;
load:
    registers[pc[0]] = (signed char)pc[1];
    pc += 2;
    NEXT;
add:
    registers[pc[0]] += registers[pc[1]];
    pc += 2;
    NEXT;
mul:
    registers[pc[0]] *= registers[pc[1]];
    pc += 2;
    NEXT;
dec:
    registers[*pc++]--;
    NEXT;
loop:
    if (registers[pc[0]] > 0)
        pc = code + pc[1];
    else
        pc += 2;
    NEXT;
out:
    printf("r%d = %ld\n", *pc, registers[*pc]);
    pc++;
    NEXT;
end:
    printf("steps %d\n", steps);
    return registers[0];
#undef NEXT
}

static int state_machine(const char *s)
{
    void *state = &&start;
    int tokens = 0;
    for (; *s; s++) {
        goto *state;
    start:
        if (*s == ' ')
            continue;
        tokens++;
        state = (*s >= '0' && *s <= '9') ? &&number : &&word;
        continue;
    number:
        if (*s == ' ')
            state = &&start;
        else if (*s < '0' || *s > '9')
            return -tokens;
        continue;
    word:
        if (*s == ' ')
            state = &&start;
    }
    return state == &&number ? tokens + 100 : tokens;
}

int main(void)
{
    static const unsigned char factorial[] = { OP_LOAD, 0, 1, OP_LOAD, 1, 10, OP_MUL, 0, 1, OP_DEC, 1, OP_LOOP, 1, 6,
                                               OP_OUT, 0, OP_END };
    static const unsigned char sum[] = { OP_LOAD, 0, 256 - 100, OP_LOAD, 2, 20, OP_ADD, 0, 2, OP_DEC, 2, OP_OUT, 2,
                                         OP_LOOP, 2, 6, OP_OUT, 0, OP_END };
    printf("factorial %ld\n", interpret(factorial));
    long total = interpret(sum);
    printf("sum %ld\n", total);
    printf("tokens %d %d %d\n", state_machine("one 22 three"), state_machine(" a 12"), state_machine("x 1y"));
    return (int)total;
}
