// Shifts of both kinds, with the distance widened as C does.
long shifts(long a, unsigned long b, int n) { return (a << n) + (a >> n) + (long)(b >> n); }
