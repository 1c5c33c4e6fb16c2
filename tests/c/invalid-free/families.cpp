// Memory of one allocation family that is freed by a function for another one.
extern "C" {
#include "../stubs.h"
}

struct plain {
    int number;
};

struct owner {
    int *values;
    owner() : values(new int[4]) {}
    ~owner() { delete[] values; }
};

void array_by_delete_bad()
{
    int *p = new int[4];
    delete p; //~ invalid-free "freed by `delete`, but was allocated by `new[]`"
}

void array_by_array_delete_ok()
{
    int *p = new int[4];
    delete[] p;
}

void single_by_array_delete_bad()
{
    int *p = new int;
    delete[] p; //~ invalid-free "freed by `delete[]`, but was allocated by `new`"
}

void single_by_delete_ok()
{
    int *p = new int;
    delete p;
}

void single_by_free_bad()
{
    plain *p = new plain;
    free(p); //~ invalid-free "freed by `free`, but was allocated by `new`"
}

void array_by_free_bad()
{
    plain *p = new plain[3];
    free(p); //~ invalid-free "freed by `free`, but was allocated by `new[]`"
}

void malloc_by_delete_bad()
{
    plain *p = (plain *)malloc(sizeof *p);
    delete p; //~ invalid-free "freed by `delete`, but was allocated by `malloc`"
}

void malloc_by_free_ok()
{
    plain *p = (plain *)malloc(sizeof *p);
    free(p);
}

void null_by_any_ok()
{
    plain *p = nullptr;
    delete p;
    delete[] p;
    free(p);
}

void on_one_way_bad()
{
    int *p = any() ? new int : new int[2]; //~ step #a1 "taking the branch where `any() == 0`"
    //~^ step #a2 "the block is allocated"
    delete p; //~ invalid-free #a "`p` is freed by `delete`, but was allocated by `new[]`" cause program
}

void by_its_own_way_ok()
{
    int many = any();
    int *p = many ? new int[2] : new int;
    if (many)
        delete[] p;
    else
        delete p;
}

/* The count of the elements lies before them. */
void array_with_destructors_bad()
{
    owner *p = new owner[2];
    delete p; //~ invalid-free
}

void array_with_destructors_ok()
{
    owner *p = new owner[2];
    delete[] p;
}

void member_ok()
{
    owner owner;
    owner.values[0] = 1;
}

static int *make_array() { return new int[4]; } //~ step #b2 "the block is allocated"
//~^ step #c2 "the block is allocated"
static void drop(int *p) { delete p; } //~ step #c4 "the pointer is freed here"
static void drop_array(int *p) { delete[] p; }
static void drop_text(char *text) { free(text); }

void array_from_callee_bad()
{
    int *p = make_array(); //~ step #b1 "calls `make_array`"
    delete p; //~ invalid-free #b "`p` is freed by `delete`, but was allocated by `new[]`" cause program
}

void array_from_callee_ok()
{
    int *p = make_array();
    drop_array(p);
}

void array_freed_by_callee_bad()
{
    drop(make_array());
    //~^ invalid-free #c "`make_array()` is freed by `drop`, but was allocated by `new[]`" cause program
    //~^ step #c1 "calls `make_array`"
    //~^ step #c3 "the pointer is passed here"
}

void text_freed_by_callee_bad()
{
    drop_text(new char[8]); //~ invalid-free "was allocated by `new[]`"
}

void freed_by_callee_ok()
{
    drop(new int);
    drop_text((char *)malloc(8));
}
