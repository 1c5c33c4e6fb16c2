/* What the generated calls need: memory in which every change is seen, a record of what is allocated and freed, and a process for each
 * call, so that one that crashes, blocks or exits harms no other. The generated program includes this text first. */

enum { AREA = 512, AREAS = 8, BLOCKS = 256, LINE = 1 << 16 };

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

/* The bytes behind an argument that is a pointer: as they were before the call, and whether each was there on purpose. */
struct area { unsigned char *start; size_t size; unsigned char before[AREA]; };
struct block { void *start; size_t size; };

static struct area areas[AREAS];
static struct block fresh[BLOCKS];
static void *released[BLOCKS];
static int n_fresh, n_released, recording, pattern, log_fd, n_line;
static char line[LINE];

/* Allocation: the functions of the library, and a note of what they did while the call runs. */

static void note_new(void *start, size_t size) {
    if (recording && start && n_fresh < BLOCKS) fresh[n_fresh++] = (struct block){start, size};
}

static void note_free(void *start) {
    if (!recording || !start) return;
    for (int i = 0; i < n_fresh; i++)
        if (fresh[i].start == start) { fresh[i] = fresh[--n_fresh]; return; }
    if (n_released < BLOCKS) released[n_released++] = start;
}

void *malloc(size_t size) { void *p = __libc_malloc(size); note_new(p, size); return p; }
void *calloc(size_t n, size_t size) { void *p = __libc_calloc(n, size); note_new(p, n * size); return p; }
void free(void *p) { note_free(p); __libc_free(p); }
void *memalign(size_t to, size_t size) { void *p = __libc_memalign(to, size); note_new(p, size); return p; }
void *aligned_alloc(size_t to, size_t size) { return memalign(to, size); }
void *valloc(size_t size) { return memalign(4096, size); }
void *pvalloc(size_t size) { return memalign(4096, (size + 4095) / 4096 * 4096); }

void *realloc(void *old, size_t size) {
    void *p = __libc_realloc(old, size);
    if (p || !size) note_free(old);
    note_new(p, size);
    return p;
}

int posix_memalign(void **result, size_t to, size_t size) {
    if (to % sizeof(void *) || (to & (to - 1)) || !to) return EINVAL;
    void *p = memalign(to, size);
    if (!p) return ENOMEM;
    *result = p;
    return 0;
}

/* Areas. One that the function may write to is surrounded by bytes that differ from run to run, so that a byte that is written is seen in one of
 * them whatever is written. One that it only reads ends where memory ends. */

static unsigned char canary(size_t at) { return (unsigned char)(pattern ? 0x91 + at % 29 : 0x5a - at % 29); }

static void *area(int arg, size_t size, int tight) {
    static unsigned char *pages;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (!pages) {
        pages = mmap(0, 2 * page * AREAS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (int i = 0; i < AREAS; i++) mprotect(pages + (2 * i + 1) * page, page, PROT_NONE);
    }
    unsigned char *end = pages + (2 * (size_t)arg + 1) * page;
    struct area *it = &areas[arg];
    it->size = tight ? size : AREA;
    it->start = end - it->size;
    for (size_t i = 0; i < it->size; i++) it->start[i] = canary(i);
    return it->start;
}

static void *buffer(int arg) { return area(arg, AREA, 0); }

static void *bytes(int arg, int tight, const void *content, size_t size) {
    void *start = area(arg, size, tight);
    memcpy(start, content, size);
    return start;
}

/* Fixtures: a directory of its own for each process, and things that functions work on. */

static void put(const char *path, const char *text) {
    int fd = open(path, O_CREAT | O_WRONLY, 0644);
    if (write(fd, text, strlen(text)) < 0) _exit(99);
    close(fd);
}

static void stage(void) {
    static int done;
    char name[32];
    if (done++) return;
    snprintf(name, sizeof name, "%d", (int)getpid());
    if (mkdir(name, 0755) || chdir(name)) _exit(99);
    put("file", "hello\nworld 12 34\n");
    put("empty", "");
    if (mkdir("dir", 0755) || symlink("file", "link")) _exit(99);
}

static const char *path(int arg, const char *text) { stage(); return bytes(arg, 1, text, strlen(text) + 1); }
static int descriptor(const char *name, int flags) { stage(); return open(name, flags); }
static FILE *stream(const char *name, const char *mode) { stage(); return fopen(name, mode); }
static DIR *directory(const char *name) { stage(); return opendir(name); }
static void *heap_text(const char *text) { void *p = malloc(64); memset(p, 0, 64); memcpy(p, text, strlen(text) + 1); return p; }
static int ordered(const void *left, const void *right) { return *(const unsigned char *)left - *(const unsigned char *)right; }
static int ordered_with(const void *left, const void *right, void *more) { (void)more; return ordered(left, right); }
static void nothing(void) {}
static void nothing_with(void *argument) { (void)argument; }
static void at_signal(int sig) { (void)sig; }
static void *thread(void *argument) { return argument; }
static int thread_c11(void *argument) { (void)argument; return 0; }
static pthread_t started(void) { pthread_t id; pthread_create(&id, 0, thread, 0); return id; }
static int socket_pair(int which) { int ends[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, ends); if (write(ends[1], "hello", 5) != 5) _exit(99); return ends[which]; }
static int pipe_with(const char *text) { int ends[2]; if (pipe(ends) || write(ends[1], text, strlen(text)) < 0) _exit(99); close(ends[1]); return ends[0]; }

static int listening(int with_client) {
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    stage();
    if (bind(fd, (struct sockaddr *)&name, sizeof name) || listen(fd, 5)) _exit(99);
    if (with_client && connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&name, sizeof name)) _exit(99);
    return fd;
}
static void local_address(void *at) { memset(at, 0, 16); ((struct sockaddr_in *)at)->sin_family = AF_INET; inet_aton("127.0.0.1", &((struct sockaddr_in *)at)->sin_addr); }

/* The record: lines of words, put out at once. */

static void say(const char *format, ...) {
    va_list args;
    va_start(args, format);
    n_line += vsnprintf(line + n_line, (size_t)(LINE - n_line), format, args);
    va_end(args);
    if (n_line >= LINE) _exit(98);
}

static void hex(const unsigned char *at, size_t size) {
    static const char digits[] = "0123456789abcdef";
    if (n_line + 2 * size + 2 >= LINE) _exit(98);
    for (size_t i = 0; i < size; i++) { line[n_line++] = digits[at[i] >> 4]; line[n_line++] = digits[at[i] & 15]; }
}

static void flush(void) { if (write(log_fd, line, (size_t)n_line) != n_line) _exit(97); n_line = 0; }

static void argument(int arg, unsigned long long value, size_t pointee) {
    struct area *it = &areas[arg];
    say("arg %d %llx %zu ", arg, value, pointee);
    if (it->start) { memcpy(it->before, it->start, it->size); hex(it->before, it->size); say("\n"); } else say("-\n");
}

static void begin(void) { flush(); n_fresh = n_released = 0; errno = 0; recording = 1; }

static void end(void) {
    recording = 0;
    for (int i = 0; i < AREAS; i++)
        if (areas[i].start && memcmp(areas[i].before, areas[i].start, areas[i].size)) { say("after %d ", i); hex(areas[i].start, areas[i].size); say("\n"); }
    for (int i = 0; i < n_fresh; i++) {
        say("new %llx %zu ", (unsigned long long)(uintptr_t)fresh[i].start, fresh[i].size);
        hex(fresh[i].start, fresh[i].size < 64 ? fresh[i].size : 64);
        say("-\n");
    }
    for (int i = 0; i < n_released; i++) say("freed %llx\n", (unsigned long long)(uintptr_t)released[i]);
}

static void result(unsigned long long value) { say("ret %llx\n", value); flush(); }
static void no_result(void) { say("ret -\n"); flush(); }

/* One process for each call; a second run only if there is an area in which it could see more than the first. */
static void isolated(int function, int call, int runs, void (*run)(int)) {
    for (pattern = 0; pattern < runs; pattern++) {
        say("call %d %d %d\n", function, call, pattern);
        flush();
        pid_t child = fork();
        if (child == 0) {
            alarm(5);
            run(call);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        say("end %d %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
        flush();
    }
}
