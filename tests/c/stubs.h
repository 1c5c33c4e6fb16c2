/* What the tests need of the C library, so that they are the same on every machine, and some code that nobody knows. */
#ifndef STUBS_H
#define STUBS_H

#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#define assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))

typedef unsigned long size_t;
typedef unsigned long uintptr_t;
typedef struct file FILE;

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
char *strdup(const char *text);

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *left, const void *right, size_t size);
size_t strlen(const char *text);
int strcmp(const char *left, const char *right);
char *strcpy(char *to, const char *from);

int printf(const char *format, ...);
int puts(const char *text);
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *file);
int fgetc(FILE *file);

void abort(void) __attribute__((noreturn));
void exit(int status) __attribute__((noreturn));
void __assert_fail(const char *condition, const char *file, unsigned line, const char *function)
    __attribute__((noreturn));

/* Functions without a body anywhere: they return anything, and may keep what they are given. */
int any(void);
unsigned any_unsigned(void);
int *any_pointer(void);
void *any_block(size_t size);
void report(const char *text);
void use(void *block);
int look(const int *value) __attribute__((pure));
void fill(int *value);
void make(int **pointer);
void die(const char *text) __attribute__((noreturn));

#endif
