// Reading variadic arguments: clang walks the register save area itself.
int sum(int n, ...) {
  __builtin_va_list list, other;
  __builtin_va_start(list, n);
  __builtin_va_copy(other, list);
  int total = __builtin_va_arg(list, int);
  __builtin_va_end(other);
  __builtin_va_end(list);
  return total;
}
