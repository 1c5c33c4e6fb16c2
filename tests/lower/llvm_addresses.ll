; Address spaces, masks, relative pointers, constants that only LLVM writes.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@narrow = global ptr addrspace(270) null
@table = constant [2 x i32] [
  i32 trunc (i64 sub (i64 ptrtoint (ptr @f to i64), i64 ptrtoint (ptr @table to i64)) to i32),
  i32 trunc (i64 sub (i64 ptrtoint (ptr @g to i64), i64 ptrtoint (ptr @table to i64)) to i32)]
@unknown = global i64 mul (i64 ptrtoint (ptr @f to i64), i64 2)
@llvm.used = appending global [1 x ptr] [ptr @table], section "llvm.metadata"

declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare ptr @llvm.load.relative.i64(ptr, i64)
declare void @f()
declare void @g()

define ptr @spaces() {
  %p = load ptr addrspace(270), ptr @narrow
  store ptr addrspace(270) null, ptr @narrow
  %q = addrspacecast ptr addrspace(270) %p to ptr
  ret ptr %q
}

define ptr @masked(ptr %p) {
  %q = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -16)
  ret ptr %q
}

define ptr @relative() {
  %p = call ptr @llvm.load.relative.i64(ptr @table, i64 4)
  ret ptr %p
}

define i64 @incoming(i1 %c) {
entry:
  br i1 %c, label %join, label %other
other:
  br label %join
join:
  %x = phi i64 [ ptrtoint (ptr @table to i64), %entry ], [ 7, %other ]
  ret i64 %x
}
