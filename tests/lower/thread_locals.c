// Each thread has its own.
_Thread_local int counter = 3;
extern _Thread_local int elsewhere;
static __thread char buffer[16];
int next(void) { buffer[1] = 2; return counter++ + elsewhere; }
