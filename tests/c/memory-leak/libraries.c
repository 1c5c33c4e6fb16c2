// What other libraries allocate, and which function frees it. Only what the project does not define is taken from the models.
#include "../stubs.h"

void *CRYPTO_malloc(size_t size, const char *file, int line);
void CRYPTO_free(void *block, const char *file, int line);
void *g_malloc(size_t size);
void g_free(void *block);
void *sqlite3_malloc(int size);
void sqlite3_free(void *block);
char *sqlite3_mprintf(const char *format, ...);
unsigned char *xmlStrdup(const unsigned char *text);
void *kmalloc(size_t size, unsigned flags);
void *vmalloc(unsigned long size);
void kfree(const void *block);
void vfree(const void *block);
void kvfree(const void *block);

struct regex { void *buffer; size_t allocated, used; unsigned long syntax; void *map, *translate; size_t count; unsigned flags; };
int regcomp(struct regex *regex, const char *pattern, int flags);
void regfree(struct regex *regex);

void openssl_bad(void)
{
    char *p = CRYPTO_malloc(8, "file", 1); //~ memory-leak #a "memory allocated here" cause program
    //~^ step #a1 "the block is allocated"
    if (p && any()) //~ step #a2 "taking the branch where `any() == 0`"
        CRYPTO_free(p, "file", 2);
} //~ step #a3 "the function returns, and nothing points to the block"

void openssl_ok(void) { CRYPTO_free(CRYPTO_malloc(8, "file", 1), "file", 2); }

void glib_bad(void)
{
    char *p = g_malloc(8); //~ memory-leak
    *p = 1;
}

void glib_ok(void)
{
    char *p = g_malloc(8);
    *p = 1;
    g_free(p);
}

void sqlite_text_bad(void) { sqlite3_mprintf("%d", 7); } //~ memory-leak

void sqlite_text_ok(void) { sqlite3_free(sqlite3_mprintf("%d", 7)); }

void libxml2_bad(void) { xmlStrdup((const unsigned char *)"text"); } //~ memory-leak

void kernel_bad(void)
{
    char *p = kmalloc(8, 0); //~ memory-leak
    if (any())
        kfree(p);
}

void kernel_any_ok(int c)
{
    char *p = c ? kmalloc(8, 0) : vmalloc(8);
    kvfree(p);
}

void regex_bad(void)
{
    struct regex regex;
    regcomp(&regex, "a+", 0); //~ memory-leak
}

void regex_twice_ok(void)
{
    struct regex regex;
    if (regcomp(&regex, "a+", 0))
        return;
    regfree(&regex);
    regfree(&regex);
}
