// Le et al., Finding Real Bugs in Big Programs with Incorrectness Logic, §2.2 (Listing 4): a stream that is pushed onto a
// chain is leaked if there is no chain, because the push silently does nothing; the repair that does not help, and the two
// that do.
#include "../stubs.h"

struct stream {
    struct stream *next;
    int references;
};

static struct stream *stream_new(void)
{
    struct stream *stream = malloc(sizeof *stream); //~ step #a2 "the block is allocated"
    if (!stream)
        return NULL;
    stream->next = NULL;
    stream->references = 1;
    return stream;
}

static void stream_put(struct stream *stream)
{
    if (stream && --stream->references == 0) //~ step #a7 "the freed memory is read here"
        free(stream); //~ step #a5 "the block is freed"
}

static void stream_push(struct stream *chain, struct stream *stream)
{
    if (!chain || !stream)
        return;
    while (chain->next)
        chain = chain->next;
    chain->next = stream;
}

static void stream_push_shared(struct stream *chain, struct stream *stream)
{
    if (!chain || !stream)
        return;
    stream->references++;
    stream_push(chain, stream);
}

static void stream_put_all(struct stream *chain)
{
    while (chain) {
        struct stream *next = chain->next;
        stream_put(chain); //~ step #a4 "calls `stream_put`"
        chain = next;
    }
}

int body_bad(void)
{
    struct stream *chain = stream_new();
    struct stream *secure = stream_new(); //~ memory-leak
    stream_push(chain, secure);
    stream_put_all(chain);
    return 0;
}

int forgotten_after_push_bad(void)
{
    struct stream *chain = stream_new();
    struct stream *secure = stream_new(); //~ memory-leak
    stream_push(chain, secure);
    secure = NULL;
    stream_put_all(chain);
    stream_put(secure);
    return 0;
}

int counted_references_ok(void)
{
    struct stream *chain = stream_new();
    struct stream *secure = stream_new();
    stream_push_shared(chain, secure);
    stream_put_all(chain);
    stream_put(secure);
    return 0;
}

int freed_without_chain_ok(void)
{
    struct stream *chain = stream_new();
    struct stream *secure = stream_new();
    stream_push(chain, secure);
    if (!chain)
        stream_put(secure);
    stream_put_all(chain);
    return 0;
}

int freed_in_any_case_bad(void)
{
    struct stream *chain = stream_new();
    struct stream *secure = stream_new(); //~ step #a1 "calls `stream_new`"
    stream_push(chain, secure);
    stream_put_all(chain); //~ step #a3 "calls `stream_put_all`"
    stream_put(secure);
    //~^ use-after-free #a "`secure` was freed, and `stream_put` dereferences it" cause program when "true"
    //~^ step #a6 "the pointer is passed here"
    return 0;
}
