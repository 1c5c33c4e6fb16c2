// Variadic calls, variable-length arrays, function pointers, attributes on functions, parameters and results.
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct callback { int (*run)(void *, ...); void *data; };

__attribute__((format(printf, 1, 2), cold, noinline)) static int report(const char *format, ...) {
  va_list list, copy;
  va_start(list, format);
  va_copy(copy, list);
  long double first = va_arg(list, int) ? va_arg(list, long double) : 0;
  struct callback by_value = va_arg(list, struct callback);
  int n = vprintf(format, copy) + (int)first + (by_value.data != NULL);
  va_end(copy);
  va_end(list);
  return n;
}

__attribute__((malloc, returns_nonnull, alloc_size(1, 2), warn_unused_result)) void *grid(size_t rows, size_t columns);
__attribute__((nonnull(1), pure)) size_t length(const char *restrict s, const char *restrict t);
__attribute__((const, flatten)) int twice(int x) { return 2 * x; }
__attribute__((ms_abi)) long foreign(int a, double b);
int k_and_r();

int dynamic(int n, int m, int matrix[n][m]) {
  int row[n + 1], *heap = malloc(sizeof row);
  char *text = __builtin_alloca((size_t)m);
  for (int i = 0; i <= n; i++)
    row[i] = matrix[i % n][m - 1];
  memcpy(heap, row, sizeof row);
  memset(text, 'x', (size_t)m - 1);
  int result = heap[n] + (int)strlen(text) + (int)length(text, "t") + twice(n);
  free(heap);
  return result + (int)foreign(n, m) + k_and_r(1, 2.0, "three");
}

int dispatch(struct callback *cb, int n) {
  int *cells = grid((size_t)n, 4);
  int result = cb->run ? cb->run(cb->data, n, 2.5, cells) : report("%d %Lf\n", n, 1.0L, *cb);
  free(cells);
  return result;
}

int assemble(int x) {
  int y;
  asm volatile("addl %2, %0\n\tnop" : "=r"(y), "+m"(x) : "r"(x) : "memory", "cc");
  register unsigned long stack asm("rsp");
  return y + (int)stack + (int)(size_t)__builtin_return_address(0) + (int)(size_t)__builtin_frame_address(0);
}
