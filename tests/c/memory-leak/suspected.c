// args: --latent --only memory-leak,null-deref,double-free
// Errors behind decisions about values that were not followed: they may happen, and nobody can say when.
#include "../stubs.h"

static unsigned hash(const char *text, unsigned n)
{
    unsigned hash = 5381;
    for (unsigned i = 0; i < n; i++) //~ step #a4 "taking the branch where `n != 0`"
        hash = hash * 33 ^ (unsigned char)text[i] * 7; //~ latent null-deref
    return hash;
}

int leaks_if_hash_is_odd_latent(const char *text, unsigned n)
{
    if (n < 100) //~ step #a1 "taking the branch where `n >= 100u`"
        return 0;
    char *copy = malloc(n); //~ latent memory-leak #a "memory allocated here" cause program
    //~^ step #a2 "the block is allocated"
    if (!copy)
        return -1;
    if (hash(text, n) & 1) //~ step #a3 "calls `hash`"
    //~^ step #a5 "taking a branch that depends on a value the analysis does not follow"
        return -1;
    free(copy);
    return 0;
} //~ step #a6 "the function returns, and nothing points to the block"

int fails_if_hash_is_odd_latent(const char *text, unsigned n)
{
    if (n < 100)
        return 0;
    int *p = NULL;
    if (hash(text, n) & 1)
        return *p; //~ latent null-deref
    return 0;
}

// Whatever the value is: this is certain.
int leaks_either_way_bad(const char *text, unsigned n)
{
    char *copy = malloc(4); //~ memory-leak
    if (!copy)
        return -1;
    if (hash(text, n) & 1)
        return 1;
    return 0;
}

// The same value decides about both.
int decided_once_ok(const char *text, unsigned n)
{
    unsigned value = hash(text, n) & 1;
    char *copy = value ? malloc(4) : NULL;
    if (value)
        free(copy);
    return 0;
}

// What is asserted of such a value is the programmer's belief.
void asserted_ok(const char *text, unsigned n)
{
    assert(hash(text, n) != 17);
}

// What a thread has stored under a key may be missing, if nobody has stored it.
typedef unsigned int pthread_key_t;
void *pthread_getspecific(pthread_key_t key);

static pthread_key_t session_key;

int found_missing_latent(void)
{
    int *slot = pthread_getspecific(session_key);
    if (!slot)
        any();
    return *slot; //~ latent null-deref
}
