// What runs before and after main, in order of execution.
static void early(void) __attribute__((constructor(101)));
static void late(void) __attribute__((constructor));
static void last(void) __attribute__((destructor(101)));
static void first(void) __attribute__((destructor));
int n;
static void early(void) { n = 1; }
static void late(void) { n = 2; }
static void last(void) { n = 3; }
static void first(void) { n = 4; }
