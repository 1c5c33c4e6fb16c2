// args: -ffp-model=strict
// Floats with rounding modes and exceptions are computed as in the default mode.
double strict(double a, float b, int c) { return a * b + (a < c ? a / c : (double)(int)a); }
