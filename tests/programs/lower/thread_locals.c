// Thread-local variables: file scope, function scope, arrays, structs, initialized and zero, with addresses taken.
#include <stdio.h>
#include <string.h>

static _Thread_local int counter = 100;
_Thread_local int exported_zero;
static __thread char buffer[16] = "initial";
static _Thread_local struct {
    int id;
    double weight;
    const char *name;
} context = { 7, 2.5, "main" };

static int plain = 1;
static _Thread_local int *pointer;

static int next_id(void)
{
    static _Thread_local int id;
    return id += 3;
}

static int *slot(void) { return &counter; }

static void append(const char *s)
{
    size_t used = strlen(buffer);
    snprintf(buffer + used, sizeof buffer - used, "%s", s);
}

int main(void)
{
    printf("counter %d zero %d\n", counter, exported_zero);
    counter++;
    *slot() += 10;
    printf("counter %d same %d\n", counter, slot() == &counter);
    for (int i = 0; i < 3; i++)
        printf("id %d\n", next_id());
    append("+more");
    printf("buffer %s\n", buffer);
    append("+too long for it");
    printf("buffer %s %zu\n", buffer, strlen(buffer));
    context.id *= 6;
    context.weight /= 4;
    printf("context %d %.3f %s\n", context.id, context.weight, context.name);
    context.name = buffer;
    printf("context %s\n", context.name);
    pointer = &plain;
    *pointer += exported_zero;
    pointer = &exported_zero;
    *pointer = 33;
    printf("plain %d exported %d\n", plain, exported_zero);
    int *keep[2] = { pointer, slot() };
    int sum = *keep[0] + *keep[1];
    printf("sum %d\n", sum);
    return sum;
}
