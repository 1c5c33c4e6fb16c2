// The run time of native programs: memory whose errors are seen, and all small inputs.
//
// Compiled without instrumentation; the programs are compiled with that of kernel-address, whose calls end here. Nothing is shared
// with the engines or the interpreter.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

typedef uintptr_t word;

enum { LINES = 2048, DEPTH = 160, STEPS = 10000, BLOCKS = 4096, MARKED = 4096, CHOICES = 6, DIMS = 12 };
enum { ARENA = 8 << 20, STACK = 1 << 20, GAP = 256, BIG = 1 << 16 };

#define SHADOW_BASE 0x7fff8000ul
#define SHADOW_SIZE 0x100000000000ul
static unsigned char *shadow(word at) { return (unsigned char *)((at >> 3) + SHADOW_BASE); }

struct block { word at; size_t size; int freed, given, n, reached; int lines[DEPTH]; };
struct marked { word at; size_t size; };
struct frame { int line, marked; };
struct h_fn { const char *name; void (*call)(void); const char *kinds; };
struct h_global { word at; size_t size; size_t redzoned; word rest[5]; };

static char *arena;
static unsigned char *fresh;            // of the arena: bytes that were never written
static unsigned char *fresh_stack;      // of the stack
static word stack_low;
static size_t used;
static struct block blocks[BLOCKS];
static int n_blocks;
static struct marked marked[MARKED];
static int n_marked;
static struct frame frames[DEPTH + 1];
static int depth, steps;
static unsigned char passed[LINES];
static int highest;
static sigjmp_buf out;
static word roots[64][2];
static int n_roots;

// How a run ended: with a kind of error, or one of these.
static const char *ended;
static const char RETURNED[] = "returned", EXITED[] = "exited", ABORTED[] = "aborted", CUT[] = "cut", UNDEFINED[] = "undefined";

static _Noreturn void finish(const char *how) { ended = how; siglongjmp(out, 1); }

// --- lines and frames ---

void h_line(int n) {
    frames[depth].line = n;
    passed[n] = 1;
    if (n > highest) highest = n;
    if (++steps > STEPS) finish(CUT);
}
int h_push(void) {
    if (depth >= DEPTH) finish(CUT);
    frames[++depth] = (struct frame){0, n_marked};
    return depth;
}
void h_pop(int *frame) {
    (void)frame;
    while (n_marked > frames[depth].marked) {
        struct marked *it = &marked[--n_marked];
        memset(fresh_stack + (it->at - stack_low), 0, it->size);
    }
    depth--;
}

// --- memory ---

static int in_arena(word at) { return at >= (word)arena && at < (word)arena + ARENA; }
extern char __executable_start[], end[];
static int in_globals(word at) { return at >= (word)__executable_start && at < (word)end; }
static int in_stack(word at) { return at >= stack_low && at < stack_low + STACK; }
static unsigned char *freshness(word at) {
    return in_arena(at) ? fresh + (at - (word)arena) : in_stack(at) ? fresh_stack + (at - stack_low) : NULL;
}
static void poison(word at, size_t size, unsigned char with) {
    for (word it = at; it < at + size; it += 8) *shadow(it) = with;
}
// Exactly `size` bytes; `at` is a multiple of eight.
static void open_bytes(word at, size_t size) {
    memset(shadow(at), 0, size / 8);
    if (size % 8) *shadow(at + size - size % 8) = size % 8;
}
static _Noreturn void bad(word at, unsigned char why) {
    // No object lies there: null, and an index.
    if (at < 1ul << 40 || at > -(1ul << 40)) finish("null-deref");
    finish(why == 0xfd ? "use-after-free" : why == 0xf8 || why == 0xf5 ? "use-after-scope" : "out-of-bounds");
}
static void check(word at, size_t size) {
    if (!size) return;
    if (!in_arena(at) && !in_stack(at) && !in_globals(at)) bad(at, 0);
    for (word it = at; it < at + size; it = (it | 7) + 1) {
        unsigned char value = *shadow(it);
        word last = (it | 7) < at + size - 1 ? it | 7 : at + size - 1;
        if (value && (signed char)value <= (int)(last & 7)) bad(at, value > 127 ? value : shadow(it)[1] > 127 ? shadow(it)[1] : 0xfa);
    }
}
static void written(word at, size_t size) {
    unsigned char *it = freshness(at);
    if (it) memset(it, 0, size);
}
void h_fresh(void *at, size_t size) {
    if (n_marked >= MARKED || !in_stack((word)at)) return;
    marked[n_marked++] = (struct marked){(word)at, size};
    memset(fresh_stack + ((word)at - stack_low), 1, size);
}
void h_read(void *at, size_t size) {
    check((word)at, size);
    unsigned char *it = freshness((word)at);
    for (size_t n = 0; it && n < size; n++) if (it[n]) finish("uninit-read");
}

#define ACCESS(n) \
    void __asan_load##n##_noabort(word at) { check(at, n); } \
    void __asan_store##n##_noabort(word at) { check(at, n); written(at, n); }
ACCESS(1) ACCESS(2) ACCESS(4) ACCESS(8) ACCESS(16)
void __asan_loadN_noabort(word at, size_t n) { check(at, n); }
void __asan_storeN_noabort(word at, size_t n) { check(at, n); written(at, n); }
void __asan_handle_no_return(void) {}
void __asan_poison_stack_memory(word at, size_t n) { poison(at, n, 0xf8); }
void __asan_unpoison_stack_memory(word at, size_t n) { open_bytes(at, n); }
void *__asan_memset(void *to, int byte, size_t n) { check((word)to, n); written((word)to, n); return memset(to, byte, n); }
void *__asan_memcpy(void *to, const void *from, size_t n) {
    check((word)from, n);
    check((word)to, n);
    unsigned char *target = freshness((word)to), *source = freshness((word)from);
    if (target && source) memmove(target, source, n);
    else written((word)to, n);
    return memmove(to, from, n);
}
void *__asan_memmove(void *to, const void *from, size_t n) { return __asan_memcpy(to, from, n); }
static void map_shadow(void) {
    static int is_mapped;
    if (is_mapped) return;
    is_mapped = 1;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void *at = mmap((void *)SHADOW_BASE, SHADOW_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at != (void *)SHADOW_BASE) { fputs("no room for the shadow\n", stderr); _exit(3); }
}
void __asan_register_globals(struct h_global *all, size_t n) {
    map_shadow();
    for (size_t it = 0; it < n; it++) {
        size_t size = all[it].size, rounded = (size + 7) & ~7ul;
        open_bytes(all[it].at, size);
        if (all[it].redzoned > rounded) poison(all[it].at + rounded, all[it].redzoned - rounded, 0xf9);
    }
}
void __asan_unregister_globals(struct h_global *all, size_t n) { (void)all; (void)n; }

// --- allocation, and which ones fail ---

static int choices[CHOICES], n_choices, n_given, all_choices;
// The one later allocation that fails, or none.
static int fails_at = -1;
// Whether more was asked for than there is here.
static int is_huge;

static word place(size_t size) {
    if (n_blocks >= BLOCKS || used + size + 2 * GAP + 16 > ARENA) finish(CUT);
    word at = (word)arena + used + GAP;
    used += ((size + 15) & ~15ul) + GAP;
    open_bytes(at, size);
    struct block *it = &blocks[n_blocks++];
    it->at = at, it->size = size, it->freed = 0, it->given = 0, it->n = depth, it->reached = 0;
    for (int n = 0; n < depth; n++) it->lines[n] = frames[n + 1].line;
    return at;
}
// Whether this allocation fails; the first ones are tried both ways.
static int fails(void) {
    int at = all_choices++;
    if (at >= CHOICES) return at == fails_at;
    if (at >= n_given) choices[at] = 0;
    n_choices = at + 1;
    return choices[at];
}
void *h_malloc(size_t size) {
    if (size > BIG) return is_huge = 1, NULL;
    if (fails()) return NULL;
    word at = place(size);
    memset(fresh + (at - (word)arena), 1, size);
    return (void *)at;
}
void *h_calloc(size_t n, size_t size) {
    if (n > BIG || size > BIG || n * size > BIG) return is_huge = 1, NULL;
    if (fails()) return NULL;
    word at = place(n * size);
    memset((void *)at, 0, n * size);
    memset(fresh + (at - (word)arena), 0, n * size);
    return (void *)at;
}
static struct block *block_of(word at) {
    for (int n = n_blocks - 1; n >= 0; n--)
        if (blocks[n].at <= at && at <= blocks[n].at + blocks[n].size) return &blocks[n];
    return NULL;
}
static struct block *released(void *old) {
    struct block *it = block_of((word)old);
    if (!it || it->at != (word)old) finish((word)old < 4096 ? "null-deref" : "invalid-free");
    if (it->freed) finish("double-free");
    return it;
}
void h_free(void *old) {
    if (!old) return;
    struct block *it = released(old);
    it->freed = 1;
    poison(it->at, it->size ? it->size : 1, 0xfd);
}
void *h_realloc(void *old, size_t size) {
    if (!old) return h_malloc(size);
    struct block *it = released(old);
    void *made = h_malloc(size);
    if (!made) return NULL;
    size_t n = it->size < size ? it->size : size;
    memcpy(made, old, n);
    memcpy(freshness((word)made), freshness((word)old), n);
    h_free(old);
    return made;
}
_Noreturn void h_exit(int code) { (void)code; finish(EXITED); }
_Noreturn void h_abort(void) { finish(ABORTED); }
_Noreturn void h_assert(void) { finish("assert-failure"); }

// --- what is passed ---

static int modes[DIMS], n_ints, is_wide;
static uint64_t random_state = 1;
static uint32_t draw(void) {
    random_state = random_state * 6364136223846793005ul + 1442695040888963407ul;
    return random_state >> 33;
}
static const int VALUES[] = {0, 1, 2, -1, 3, 4, 5, -2, 6, 8, 7, -3, 9, 12, -4, 17, 10, 64, 100, -100};
static int n_values(void) { return n_ints <= 1 ? 20 : n_ints == 2 ? 12 : n_ints == 3 ? 9 : 7; }
static int wide(void) {
    switch (draw() % 8) {
    case 0: return (int)(draw() % 2001) - 1000;
    case 1: return 1 << draw() % 31;
    case 2: return draw() % 2 ? INT32_MAX - (int)(draw() % 3) : INT32_MIN + (int)(draw() % 3);
    default: return (int)(draw() % 41) - 15;
    }
}
int h_int(int dim) { return is_wide ? wide() : VALUES[modes[dim]]; }

struct node { int v; int w; struct node *next; };
struct buf { int len; int cap; int *data; };
typedef int (*hook)(int);

static void *given[DIMS];
static const char *kinds;

static void *object(size_t size) {
    word at = place(size);
    blocks[n_blocks - 1].given = 1;
    memset((void *)at, 0, size);
    memset(fresh + (at - (word)arena), 0, size);
    return (void *)at;
}
// What an earlier parameter of the kind points at.
static void *alias(int dim) {
    for (int it = dim - 1; it >= 0; it--)
        if (kinds[it] == kinds[dim] && given[it]) return given[it];
    return object(sizeof(struct node));
}
static int *ints(int n, int first, int step) {
    int *made = object(n * sizeof(int));
    for (int it = 0; it < n; it++) made[it] = is_wide ? wide() : first + it * step;
    return made;
}
static struct node *chain(int n, int first) {
    struct node *made = NULL;
    for (int it = n; it-- > 0;) {
        struct node *front = object(sizeof *front);
        *front = (struct node){is_wide ? wide() : first + it, is_wide ? wide() : it, made};
        made = front;
    }
    return made;
}
static struct buf *buffer(int len, int cap, int *data) {
    struct buf *made = object(sizeof *made);
    *made = (struct buf){is_wide && draw() % 2 ? wide() : len, is_wide && draw() % 2 ? wide() : cap, data};
    return made;
}
int *h_ints(int dim) {
    switch (modes[dim]) {
    case 0: return given[dim] = NULL;
    case 1: return given[dim] = ints(24, 0, 0);
    case 2: return given[dim] = ints(24, 1, 1);
    case 3: return given[dim] = ints(1, 2, 0);
    default: return given[dim] = alias(dim);
    }
}
struct node *h_node(int dim) {
    struct node *made;
    switch (modes[dim]) {
    case 0: return given[dim] = NULL;
    case 1: return given[dim] = chain(4, 0);
    case 2: return given[dim] = chain(4, 3);
    case 3: return given[dim] = chain(1, 1);
    case 4: return given[dim] = alias(dim);
    default: made = chain(1, 2); made->next = made; return given[dim] = made;
    }
}
struct buf *h_buf(int dim) {
    switch (modes[dim]) {
    case 0: return given[dim] = NULL;
    case 1: return given[dim] = buffer(0, 24, ints(24, 0, 0));
    case 2: return given[dim] = buffer(2, 24, ints(24, 4, -1));
    case 3: return given[dim] = buffer(3, 3, ints(3, 1, 1));
    case 4: return given[dim] = buffer(0, 0, NULL);
    default: return given[dim] = alias(dim);
    }
}
int **h_out(int dim) {
    if (modes[dim] == 0) return given[dim] = NULL;
    int **made = object(sizeof *made);
    *made = modes[dim] == 1 ? NULL : ints(24, 1, 0);
    return given[dim] = made;
}
static int zero(int x) { (void)x; return 0; }
static int one(int x) { (void)x; return 1; }
static int same(int x) { return x; }
static int less(int x) { return x > 0 ? x - 1 : -1; }
hook h_hook(int dim) {
    static const hook HOOKS[] = {zero, one, same, less, NULL};
    return HOOKS[modes[dim]];
}
void h_root(void *at, size_t size) {
    roots[n_roots][0] = (word)at;
    roots[n_roots++][1] = size;
}
static void *result;
void h_result(const void *at) { result = (void *)at; }

static int n_modes(char kind) {
    switch (kind) {
    case 'i': return n_values();
    case 'p': return 5;
    case 'n': return 6;
    case 'b': return 6;
    case 'o': return 3;
    default: return 5;
    }
}
// Whether a parameter is valid memory of its own, as large as can be wished.
static int is_full(char kind, int mode) {
    switch (kind) {
    case 'i': return 1;
    case 'c': return mode < 4;
    default: return mode == 1 || mode == 2;
    }
}

// --- blocks that are lost ---

static void reach(word value);
static void scan(word at, size_t size) {
    for (word it = at; it + 8 <= at + size; it += 8) reach(*(word *)it);
}
static void reach(word value) {
    if (!in_arena(value)) return;
    struct block *it = block_of(value);
    if (!it || it->freed || it->reached) return;
    it->reached = 1;
    scan(it->at, it->size);
}
static void mark(void) {
    for (int n = 0; n < n_blocks; n++) if (blocks[n].given) reach(blocks[n].at);
    for (int n = 0; n < n_roots; n++) scan(roots[n][0], roots[n][1]);
    reach((word)result);
}

// --- runs ---

static void reset(void) {
    poison((word)arena, used + GAP, 0xfa);
    while (n_marked > 0) {
        struct marked *it = &marked[--n_marked];
        memset(fresh_stack + (it->at - stack_low), 0, it->size);
    }
    used = 0, n_blocks = 0, depth = 0, steps = 0, n_roots = 0, result = NULL, all_choices = 0, n_choices = 0, is_huge = 0;
    memset(passed, 0, highest + 1);
    memset(given, 0, sizeof given);
    highest = 0;
}
// After a run that did not come back, its frames are still marked.
static void clean_stack(void) {
    word top = (word)__builtin_frame_address(0) & ~63ul;
    memset(shadow(stack_low), 0, (top - stack_low) >> 3);
}

static char text[1 << 16];
static size_t n_text;
static void put(const char *format, int value) { n_text += snprintf(text + n_text, sizeof text - n_text, format, value); }
static void describe(void) {
    n_text = snprintf(text, sizeof text, "%s", ended);
    put(" @", 0);
    if (ended != RETURNED && ended != EXITED) for (int n = depth; n > 0 && n > depth - 24; n--) put("%d,", frames[n].line);
    put(" +", 0);
    for (int n = 1; n <= highest; n++) if (passed[n]) put("%d,", n);
    if (is_huge) put(" !", 0);
    if (ended != RETURNED) return;
    mark();
    for (int n = 0; n < n_blocks; n++) {
        if (blocks[n].freed || blocks[n].reached) continue;
        put(" -", 0);
        for (int it = blocks[n].n; it-- > 0;) put("%d,", blocks[n].lines[it]);
    }
}

// Lines passed in all runs of a function; beyond so many, the rest of its inputs is left out.
static long spent;
static const long ENOUGH = 20000000;

enum { RECORDS = 1 << 14 };
static uint64_t hashes[RECORDS];
static int numbers[RECORDS], n_records;
static int record(void) {
    uint64_t hash = 14695981039346656037ul;
    for (size_t n = 0; n < n_text; n++) hash = (hash ^ (unsigned char)text[n]) * 1099511628211ul;
    hash |= 1;
    for (uint64_t at = hash % RECORDS;; at = (at + 1) % RECORDS) {
        if (hashes[at] == hash) return numbers[at];
        if (hashes[at]) continue;
        if (n_records >= RECORDS / 2) return -1;
        hashes[at] = hash, numbers[at] = n_records;
        printf("R %s\n", text);
        return n_records++;
    }
}

static __attribute__((noinline)) int run(const struct h_fn *fn) {
    ended = RETURNED;
    int keep = n_given;
    reset();
    n_given = keep;
    if (sigsetjmp(out, 0) == 0) fn->call();
    else clean_stack();
    spent += steps + 20;
    describe();
    return record();
}
static void try_choices(const struct h_fn *fn) {
    char line[4096];
    int n = 0;
    n_given = 0;
    for (;;) {
        int number = run(fn), fit = snprintf(line + n, sizeof line - n, " %d:", number);
        n += fit;
        for (int it = 0; it < n_choices; it++) line[n++] = choices[it] ? 'x' : 'o';
        int last = n_choices;
        while (last > 0 && choices[last - 1]) last--;
        if (last == 0 || n > 4000) break;
        choices[last - 1] = 1;
        n_given = last;
    }
    line[n] = 0;
    int full = 1;
    printf("I ");
    for (int it = 0; kinds[it]; it++) {
        full &= is_full(kinds[it], modes[it]);
        printf("%d,", modes[it]);
    }
    printf(" %d%s\n", full, line);
}
static void run_all(const struct h_fn *fn, long cap, long n_wide) {
    kinds = fn->kinds, n_ints = 0, is_wide = 0, fails_at = -1, n_records = 0;
    memset(hashes, 0, sizeof hashes);
    for (const char *it = kinds; *it; it++) n_ints += *it == 'i';
    long total = 1;
    for (const char *it = kinds; *it; it++) total *= n_modes(*it);
    random_state = 1, spent = 0;
    printf("F %s %s %d\n", fn->name, kinds, total <= cap);
    for (long n = 0; n < (total <= cap ? total : cap); n++) {
        long rest = n;
        for (int it = 0; kinds[it]; it++) {
            int many = n_modes(kinds[it]);
            modes[it] = total <= cap ? rest % many : draw() % many;
            rest /= many;
        }
        try_choices(fn);
        if (spent > ENOUGH) { puts("C"); break; }
    }
    is_wide = 1, spent = 0;
    for (long n = 0; n < n_wide && spent <= ENOUGH; n++) {
        for (int it = 0; kinds[it]; it++) modes[it] = draw() % (kinds[it] == 'i' ? 1 : n_modes(kinds[it]));
        n_given = CHOICES;
        int is_late = draw() % 3 == 0;
        for (int it = 0; it < CHOICES; it++) choices[it] = !is_late && draw() % 3 == 0;
        fails_at = CHOICES + (int)(draw() % 60);
        printf("W %d\n", run(fn));
    }
}

static void on_signal(int number, siginfo_t *info, void *context) {
    if (number == SIGFPE) finish("div-by-zero");
    if (number == SIGILL) {
        // ud1 imm8(%eax), %eax: what the check is about.
        const unsigned char *at = (unsigned char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
        int what = at[0] == 0x67 && at[1] == 0x0f && at[2] == 0xb9 && at[3] == 0x40 ? at[4] : -1;
        finish(what == 18 ? "out-of-bounds" : what == 3 ? "div-by-zero" : UNDEFINED);
    }
    if (number == SIGALRM) { fputs("too slow\n", stderr); _exit(4); }
    bad((word)info->si_addr, 0);
}

// --- main ---

extern const struct h_fn h_functions[];
extern const int h_n_functions;

int main(int argc, char **argv) {
    map_shadow();
    arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fresh = calloc(1, ARENA);
    fresh_stack = calloc(1, STACK);
    stack_low = (((word)__builtin_frame_address(0)) & ~63ul) - STACK + 4096;
    poison((word)arena, ARENA, 0xfa);
    static char signal_stack[1 << 16];
    sigaltstack(&(stack_t){.ss_sp = signal_stack, .ss_size = sizeof signal_stack}, NULL);
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM};
    for (int n = 0; n < 5; n++) sigaction(signals[n], &action, NULL);
    alarm(300);
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    // Names of functions, each behind the number of inputs and of wide runs.
    for (int n = 1; n + 2 < argc; n += 3)
        for (int it = 0; it < h_n_functions; it++)
            if (!strcmp(h_functions[it].name, argv[n + 2])) run_all(&h_functions[it], atol(argv[n]), atol(argv[n + 1]));
    puts("END");
    return 0;
}
