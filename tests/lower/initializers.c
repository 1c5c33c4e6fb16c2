// Contents of globals: bytes, addresses, differences; zeros cost nothing.
struct entry { const char *name; int id; double weight; struct entry *next; };
struct entry second = { "second", 2, 0.5, 0 };
struct entry entries[3] = { { "first", 1, 1.5, &second }, { .id = 7 } };
char text[] = "hello";
char *inside = &text[2];
int big[1000000] = { [500000] = 3 };
long address = (long)&second.weight + 1;
short shorts[] = { -1, 2 };
_Bool yes = 1;
int tentative;
const float pi = 3.14f;
