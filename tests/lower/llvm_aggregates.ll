; Struct and array values: phis, selects, members, loads and stores lane by lane.
target datalayout = "e-m:e-p270:32:32-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%pair = type { i32, { i8, [2 x ptr] } }

define %pair @choose(i1 %c, ptr %p, %pair %q) {
entry:
  %loaded = load %pair, ptr %p
  br i1 %c, label %then, label %join
then:
  %changed = insertvalue %pair %loaded, ptr null, 1, 1, 1
  br label %join
join:
  %merged = phi %pair [ %changed, %then ], [ %q, %entry ]
  %picked = select i1 %c, %pair %merged, %pair zeroinitializer
  store %pair %picked, ptr %p, align 16
  ret %pair %picked
}

define ptr @member(%pair %q) {
  %inner = extractvalue %pair %q, 1
  %p = extractvalue { i8, [2 x ptr] } %inner, 1, 0
  ret ptr %p
}

define {} @empty({} %e, [0 x i32] %z) {
  ret {} %e
}
