; Atomic operations that C has no words for.
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @wrapping(ptr %p, i32 %x) {
  %a = atomicrmw uinc_wrap ptr %p, i32 %x seq_cst
  %b = atomicrmw udec_wrap ptr %p, i32 %x seq_cst
  %c = atomicrmw fadd ptr %p, float 1.0 monotonic
  %d = cmpxchg weak ptr %p, ptr null, ptr %p acq_rel monotonic
  fence seq_cst
  ret i32 %a
}
