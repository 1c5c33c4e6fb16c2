// Signed operations promise not to overflow, unsigned ones wrap; division stays visible.
int signed_ops(int a, int b) { return (a + b) * (a - b) / b % 7; }
unsigned unsigned_ops(unsigned a, unsigned b) { return (a + b) * (a - b) / b % 7u; }
long bits(long a, long b) { return (a & b) | (a ^ ~b); }
