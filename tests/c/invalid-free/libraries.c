// Blocks of one library that are given to another one.
#include "../stubs.h"

void *CRYPTO_malloc(size_t size, const char *file, int line);
void *g_malloc(size_t size);
void *sqlite3_malloc(int size);
void *vmalloc(unsigned long size);
void kfree(const void *block);

void sqlite_block_to_free_bad(void) { free(sqlite3_malloc(8)); } //~ invalid-free

void openssl_block_to_free_bad(void) { free(CRYPTO_malloc(8, "file", 1)); } //~ invalid-free

void kernel_bad(void) { kfree(vmalloc(8)); } //~ invalid-free

// Since GLib 2.46 both are the same allocator.
void glib_block_to_free_ok(void) { free(g_malloc(8)); }

// What the project defines is what it is: its own body counts, not the model of the name.
void *sqlite3_malloc64(unsigned long size) { return malloc(size); }

void own_function_ok(void) { free(sqlite3_malloc64(8)); }
