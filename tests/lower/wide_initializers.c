// Wide integers, long doubles, packed structs and bit-fields as contents.
unsigned __int128 wide = ((unsigned __int128)1 << 100) + 5;
long double extended = 1.25L;
struct __attribute__((packed)) { char c; int i; short s; } packed = { 1, 2, 3 };
struct { unsigned a : 4, b : 12; int c : 7; } fields = { 5, 1000, -3 };
