// Arrays of arrays, and arrays that decay to pointers.
int grid[3][4];
int at(int i, int j) { return grid[i][j]; }
int *row(int i) { return grid[i]; }
int local(int i) { int table[4] = {1, 2, 3, 4}; return table[i]; }
