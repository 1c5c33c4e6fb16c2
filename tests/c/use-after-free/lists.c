// Lists whose elements know where they are pointed to from.
#include "../stubs.h"

struct entry {
    int value;
    struct entry *next;
    struct entry **previous;
};

struct queue {
    struct entry *first;
    struct entry **last;
};

static void queue_remove(struct queue *queue, struct entry *entry)
{
    if (entry->next) //~ step #a3 "taking the branch where `entry->next` is null"
        entry->next->previous = entry->previous;
    else
        queue->last = entry->previous;
    *entry->previous = entry->next;
}

void free_all_ok(struct queue *queue)
{
    struct entry *entry;
    while ((entry = queue->first)) {
        queue_remove(queue, entry);
        free(entry);
    }
}

void free_all_in_place_ok(struct queue *queue)
{
    struct entry *entry;
    while ((entry = queue->first) != NULL) {
        if (entry->next)
            entry->next->previous = entry->previous;
        else
            queue->last = entry->previous;
        *entry->previous = entry->next;
        free(entry);
    }
}

int next_after_first_ok(struct queue *queue)
{
    struct entry *entry = queue->first;
    if (!entry)
        return 0;
    *entry->previous = entry->next;
    free(entry);
    return queue->first ? queue->first->value : 0;
}

int removed_and_used_bad(struct queue *queue)
{
    struct entry *entry = queue->first;
    if (!entry) //~ step #a1 "taking the branch where `queue->first` is not null"
        return 0;
    queue_remove(queue, entry); //~ step #a2 "calls `queue_remove`"
    free(entry); //~ step #a4 "the block is freed"
    return entry->value; //~ use-after-free #a "`entry` is used after it was freed" cause program when "valid(queue) && valid(queue->first) && valid(entry->previous) && valid(entry->next) && queue != queue->first && queue != entry->previous && queue->first != entry->previous && queue != entry->next && queue->first != entry->next && entry->previous != entry->next"
}

int not_removed_bad(struct queue *queue)
{
    struct entry *entry = queue->first;
    if (!entry)
        return 0;
    free(entry);
    return queue->first->value; //~ use-after-free
}

/* A ring, as in the kernel. */
struct link {
    struct link *next, *previous;
};

struct item {
    int value;
    struct link link;
};

static void link_remove(struct link *link)
{
    link->next->previous = link->previous;
    link->previous->next = link->next;
}

void free_ring_ok(struct link *head)
{
    while (head->next != head) {
        struct item *item = (struct item *)((char *)head->next - offsetof(struct item, link));
        link_remove(&item->link);
        free(item);
    }
}

int behind_removal_bad(struct queue *queue)
{
    struct entry *entry = queue->first;
    if (!entry)
        return 0;
    queue_remove(queue, entry);
    free(entry);
    int *p = malloc(sizeof *p);
    *p = 1; //~ null-deref
    free(p);
    return 0;
}
