; Unwinding is not followed; a call that does not return ends its block.
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @personality(...)
declare i32 @may_throw()
declare void @fails() noreturn

define i32 @caught(i1 %c) personality ptr @personality {
entry:
  br i1 %c, label %first, label %second
first:
  %x = invoke i32 @may_throw() to label %done unwind label %pad
second:
  invoke void @fails() to label %never unwind label %pad
done:
  ret i32 %x
never:
  unreachable
pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}
