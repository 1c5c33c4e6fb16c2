// A small calculator that reads commands from standard input and, finding none, runs its built-in script.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const script[] = { "push 6", "push 7", "mul", "dup", "push 100", "sub", "neg", "print", "drop",
                                      "print", "bogus", NULL };

static int stack[16], top, errors;

static const char *next_command(char *buffer, int size)
{
    static int at, from_script;
    if (!from_script && fgets(buffer, size, stdin)) {
        buffer[strcspn(buffer, "\n")] = 0;
        return buffer;
    }
    if (!from_script) {
        from_script = 1;
        puts("no input, running the script");
    }
    return script[at] ? script[at++] : NULL;
}

static void run(const char *command)
{
    if (strncmp(command, "push ", 5) == 0)
        stack[top++] = atoi(command + 5);
    else if (strcmp(command, "mul") == 0 && top >= 2)
        top--, stack[top - 1] *= stack[top];
    else if (strcmp(command, "sub") == 0 && top >= 2)
        top--, stack[top - 1] -= stack[top];
    else if (strcmp(command, "dup") == 0 && top >= 1)
        stack[top] = stack[top - 1], top++;
    else if (strcmp(command, "neg") == 0 && top >= 1)
        stack[top - 1] = -stack[top - 1];
    else if (strcmp(command, "drop") == 0 && top >= 1)
        top--;
    else if (strcmp(command, "print") == 0 && top >= 1)
        printf("%d\n", stack[top - 1]);
    else {
        printf("unknown: %s\n", command);
        errors++;
    }
}

int main(void)
{
    char buffer[40];
    int commands = 0;
    for (const char *c; (c = next_command(buffer, sizeof buffer)); commands++)
        run(c);
    printf("%d commands, %d errors, depth %d\n", commands, errors, top);
    return stack[0] + errors;
}
