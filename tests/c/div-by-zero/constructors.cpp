// What constructors leave in static variables is there before `main` begins.
struct Settings { int divisor; Settings(int n) : divisor(n) {} };
static Settings settings(2);

static int *lazy() { static int *number = new int(3); return number; }

int main()
{
    return 4 / settings.divisor + *lazy();
}
