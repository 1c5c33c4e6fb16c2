// Static locals are globals that are known by their plain name.
int next(void) { static int counter = 10; return ++counter; }
int other(void) { static int counter; return ++counter; }
