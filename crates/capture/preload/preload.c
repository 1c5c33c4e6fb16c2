/*
 * The library that a build's processes are started with, so that compilers called by absolute path are seen, too.
 *
 * It does one thing: a program that is about to be started and whose name is that of a compiler, archiver or linker is replaced by
 * indict itself, which starts it, waits for it and writes down what it did. It knows nothing of options.
 *
 * Two nets, because each has a hole. The exec and posix_spawn functions are replaced, which misses programs that do not use the C
 * library (a static make, Go). A constructor looks at the process it finds itself in, which misses compilers that are static
 * or of another word size. Both hand the session on to processes whose environment was emptied (env -i).
 *
 * The environment, written by indict (see session.rs):
 *   INDICT_CAPTURE   the directory of the session; without it this library does nothing
 *   INDICT_WRAPPER   the program to start instead
 *   INDICT_TOOLS     names of tools, separated by colons, without target prefix and version suffix
 *   LD_PRELOAD       this library
 * and by this library, for indict:
 *   INDICT_PROGRAM   the program that was meant
 * and by indict, for this library:
 *   INDICT_SKIP      a program that turned out to be no compiler, or a script around one: it is started as it is, and watched
 *
 * Code between vfork and exec shares the memory of its parent: no allocation but on the stack.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST (PATH_MAX + 64)
#define LONGEST_TOOLS 4096

extern char **environ;

typedef int exec_function(const char *, char *const[], char *const[]);
typedef int spawn_function(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                           char *const[], char *const[]);

static exec_function *next_execve, *next_execvpe;
static spawn_function *next_posix_spawn, *next_posix_spawnp;

/* Whether this process belongs to a session. */
static int active;
/* NAME=VALUE of what is handed on, and the path of this library. */
static char capture[LONGEST], wrapper[LONGEST], tools[LONGEST_TOOLS], library[LONGEST];

static const char *const CAPTURE = "INDICT_CAPTURE=", *const WRAPPER = "INDICT_WRAPPER=", *const TOOLS = "INDICT_TOOLS=",
                        *const PRELOAD = "LD_PRELOAD=", *const PROGRAM = "INDICT_PROGRAM=", *const SKIP = "INDICT_SKIP=",
                        *const ASAN = "ASAN_OPTIONS=", *const ASAN_OPTION = "verify_asan_link_order=0";

static int starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

/* The variable of that name in an environment, with its name, or a null pointer. */
static const char *find(char *const env[], const char *name)
{
    for (; env && *env; env++)
        if (starts_with(*env, name))
            return *env;
    return NULL;
}

static int copy(char *to, size_t size, const char *text)
{
    if (!text || strlen(text) >= size)
        return 0;
    strcpy(to, text);
    return 1;
}

/* The length of a name without its version: `gcc-12`, `clang++-19.1`, `gcc12`. */
static size_t without_version(const char *name, size_t length)
{
    size_t end = length;
    while (end > 0 && (isdigit((unsigned char)name[end - 1]) || name[end - 1] == '.'))
        end--;
    return end > 1 && end < length && name[end - 1] == '-' ? end - 1 : end;
}

/* Whether the first `length` bytes of a name are that of a tool: as it stands in the list, or behind a prefix. */
static int is_listed(const char *name, size_t length)
{
    const char *tool = tools + strlen(TOOLS);
    while (*tool) {
        size_t n = strcspn(tool, ":");
        if (n > 0 && n <= length && memcmp(name + length - n, tool, n) == 0 && (n == length || name[length - n - 1] == '-'))
            return 1;
        tool += n + (tool[n] == ':');
    }
    return 0;
}

/* Whether a path names a tool: `gcc`, `arm-none-eabi-gcc-12`. */
static int is_tool(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    return is_listed(name, length) || is_listed(name, without_version(name, length));
}

static int is_program(const char *path)
{
    struct stat file;
    return access(path, X_OK) == 0 && stat(path, &file) == 0 && S_ISREG(file.st_mode);
}

/* Whether a path names a tool, by its own name or by that of the file it is a symbolic link to. */
static int leads_to_tool(const char *path)
{
    char target[256];
    ssize_t length;
    if (is_tool(path))
        return 1;
    length = readlink(path, target, sizeof target - 1);
    if (length <= 0)
        return 0;
    target[length] = 0;
    return is_tool(target);
}

/* The path of `name` as execvp finds it, or a null pointer; `found` has room for `search_room` bytes. */
static const char *search(const char *name, char *found)
{
    const char *path = getenv("PATH");
    if (!path)
        path = "/bin:/usr/bin";
    for (;;) {
        size_t n = strcspn(path, ":");
        memcpy(found, path, n);
        path += n;
        if (n > 0)
            found[n++] = '/';
        strcpy(found + n, name);
        if (is_program(found))
            return found;
        if (!*path++)
            return NULL;
    }
}

static size_t search_room(const char *name, int by_search)
{
    const char *path = getenv("PATH");
    return by_search && name ? strlen(name) + (path ? strlen(path) : 16) + 2 : 1;
}

/* The path of the tool that is about to be started, or a null pointer. */
static const char *meant(const char *program, int by_search, char *found)
{
    if (!active || !program)
        return NULL;
    if (by_search && !strchr(program, '/'))
        program = search(program, found);
    return program && leads_to_tool(program) && is_program(program) ? program : NULL;
}

/* `meant` with its room on the stack of the caller. */
#define MEANT(program, by_search) (active ? meant(program, by_search, alloca(search_room(program, by_search))) : NULL)

static size_t count(char *const env[])
{
    size_t n = 0;
    while (env && env[n])
        n++;
    return n;
}

/* Bytes that `extend` needs for its strings. */
static size_t room(char *const env[], const char *program)
{
    const char *theirs = find(env, PRELOAD), *options = find(env, ASAN);
    return strlen(PRELOAD) + strlen(library) + (theirs ? strlen(theirs) : 0) + strlen(ASAN) + strlen(ASAN_OPTION) +
           (options ? strlen(options) : 0) + strlen(PROGRAM) + (program ? strlen(program) : 0) + 8;
}

/* Copies `env` to `to` with the session in it, and the program if given; `text` has `room` bytes. */
static char *const *extend(char *const env[], const char *program, char **to, char *text)
{
    char **end = to;
    const char *theirs = find(env, PRELOAD), *options = find(env, ASAN);
    for (size_t i = 0; env && env[i]; i++)
        if (!starts_with(env[i], CAPTURE) && !starts_with(env[i], WRAPPER) && !starts_with(env[i], TOOLS) &&
            !starts_with(env[i], PROGRAM) && !starts_with(env[i], PRELOAD) && !starts_with(env[i], ASAN))
            *end++ = env[i];
    *end++ = capture;
    *end++ = wrapper;
    *end++ = tools;
    *end++ = text;
    strcpy(text, PRELOAD);
    if (theirs && strstr(theirs, library)) {
        strcpy(text, theirs);
    } else {
        strcat(text, library);
        if (theirs && theirs[strlen(PRELOAD)])
            strcat(strcat(text, ":"), theirs + strlen(PRELOAD));
    }
    text += strlen(text) + 1;
    /* A program that AddressSanitizer was built into refuses to run behind another library, unless it is told not to. */
    *end++ = text;
    strcpy(text, options && options[strlen(ASAN)] ? options : ASAN);
    if (!strstr(text, ASAN_OPTION))
        strcat(strcat(text, text[strlen(ASAN)] ? ":" : ""), ASAN_OPTION);
    if (program) {
        text += strlen(text) + 1;
        *end++ = strcat(strcpy(text, PROGRAM), program);
    }
    *end = NULL;
    return to;
}

/* Extends an environment on the stack of the caller. */
#define EXTENDED(env, program) \
    extend(env, program, alloca((count(env) + 7) * sizeof(char *)), alloca(room(env, program)))

/* Starts indict in place of a tool; returns only on failure. */
static int start_wrapper(const char *found, char *const argv[], char *const env[])
{
    return next_execve(wrapper + strlen(WRAPPER), argv, EXTENDED(env, found));
}

/* Whether this process is indict: the wrapper, or one that the build runs for itself. What it starts is meant as it is. */
static int is_indict(void)
{
    const char *path = (const char *)getauxval(AT_EXECFN), *ours = find(environ, WRAPPER);
    struct stat this, that;
    return path && ours && stat(path, &this) == 0 && stat(ours + strlen(WRAPPER), &that) == 0 &&
           this.st_ino == that.st_ino && this.st_dev == that.st_dev;
}

__attribute__((constructor)) static void begin(int argc, char **argv, char **env)
{
    next_execve = (exec_function *)dlsym(RTLD_NEXT, "execve");
    next_execvpe = (exec_function *)dlsym(RTLD_NEXT, "execvpe");
    next_posix_spawn = (spawn_function *)dlsym(RTLD_NEXT, "posix_spawn");
    next_posix_spawnp = (spawn_function *)dlsym(RTLD_NEXT, "posix_spawnp");
    Dl_info self;
    /* Whoever starts us may ignore the end of children, and we wait for one. */
    if (is_indict())
        signal(SIGCHLD, SIG_DFL);
    active = next_execve && !is_indict() && copy(capture, sizeof capture, find(environ, CAPTURE)) &&
             copy(wrapper, sizeof wrapper, find(environ, WRAPPER)) && copy(tools, sizeof tools, find(environ, TOOLS)) &&
             dladdr((void *)begin, &self) && copy(library, sizeof library, self.dli_fname);
#ifdef __GLIBC__ /* others hand no arguments to constructors */
    const char *path = (const char *)getauxval(AT_EXECFN), *skip = find(environ, SKIP);
    /* This very program has been looked at; what it starts is still of interest. */
    if (!path || (skip && strcmp(skip + strlen(SKIP), path) == 0) || !(path = MEANT(path, 0)))
        return;
    /* A script's own path follows that of its interpreter and the interpreter's option. */
    int first = 0;
    for (int i = 1; i < argc && i <= 2; i++)
        if (strcmp(argv[i], path) == 0)
            first = i;
    start_wrapper(path, argv + first, env);
#else
    (void)argc, (void)argv, (void)env;
#endif
}

int execve(const char *path, char *const argv[], char *const env[])
{
    const char *found = MEANT(path, 0);
    if (!next_execve)
        return errno = ENOSYS, -1;
    if (found)
        return start_wrapper(found, argv, env);
    return next_execve(path, argv, active ? EXTENDED(env, NULL) : env);
}

int execvpe(const char *file, char *const argv[], char *const env[])
{
    const char *found = MEANT(file, 1);
    if (!next_execvpe)
        return errno = ENOSYS, -1;
    if (found)
        return start_wrapper(found, argv, env);
    return next_execvpe(file, argv, active ? EXTENDED(env, NULL) : env);
}

int execv(const char *path, char *const argv[]) { return execve(path, argv, environ); }

int execvp(const char *file, char *const argv[]) { return execvpe(file, argv, environ); }

/* Collects the arguments of the execl functions in an array on the stack; `end` is left behind the null pointer. */
#define COLLECT(argv, first, end)                                  \
    size_t n = 1;                                                  \
    va_list counting;                                              \
    va_start(counting, first);                                     \
    while (va_arg(counting, char *))                               \
        n++;                                                       \
    va_end(counting);                                              \
    char **argv = alloca((n + 1) * sizeof(char *));                \
    argv[0] = (char *)first;                                       \
    va_list end;                                                   \
    va_start(end, first);                                          \
    for (size_t i = 1; i <= n; i++)                                \
    argv[i] = va_arg(end, char *)

int execl(const char *path, const char *first, ...)
{
    COLLECT(argv, first, rest);
    va_end(rest);
    return execve(path, argv, environ);
}

int execlp(const char *file, const char *first, ...)
{
    COLLECT(argv, first, rest);
    va_end(rest);
    return execvpe(file, argv, environ);
}

int execle(const char *path, const char *first, ...)
{
    COLLECT(argv, first, rest);
    char *const *env = va_arg(rest, char *const *);
    va_end(rest);
    return execve(path, argv, env);
}

static int spawn(spawn_function *next, int by_search, pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const env[])
{
    const char *found = MEANT(path, by_search);
    if (!next)
        return ENOSYS;
    if (next_posix_spawn && found)
        return next_posix_spawn(pid, wrapper + strlen(WRAPPER), actions, attributes, argv, EXTENDED(env, found));
    return next(pid, path, actions, attributes, argv, active ? EXTENDED(env, NULL) : env);
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                char *const argv[], char *const env[])
{
    return spawn(next_posix_spawn, 0, pid, path, actions, attributes, argv, env);
}

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                 char *const argv[], char *const env[])
{
    return spawn(next_posix_spawnp, 1, pid, file, actions, attributes, argv, env);
}
