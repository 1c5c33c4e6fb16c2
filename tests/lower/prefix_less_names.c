// Two variables of one name in different scopes, and one that shadows a parameter.
int shadow(int x) { int y = x; { int x = y + 1; y = x * 2; } return x + y; }
