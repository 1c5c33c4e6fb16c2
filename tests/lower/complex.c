// Complex numbers are pairs.
double _Complex times(double _Complex a, double b) { return a * b; }
float imaginary(float _Complex a) { return __imag__ a; }
