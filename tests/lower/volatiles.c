// Every access to a volatile is one access.
volatile int port;
int twice(void) { port = 1; return port + port; }
int local(void) { volatile int x = 1; return x; }
