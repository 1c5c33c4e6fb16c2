; Vector addresses, conditions per lane, freezing, overflow of vectors.
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare { <2 x i32>, <2 x i1> } @llvm.uadd.with.overflow.v2i32(<2 x i32>, <2 x i32>)
declare i32 @llvm.vector.reduce.add.v2i32(<2 x i32>)
declare <2 x i64> @llvm.vector.extract.v2i64.v4i64(<4 x i64>, i64)

define <2 x ptr> @addresses(ptr %p, <2 x i32> %i) {
  %a = getelementptr inbounds { i64, [4 x i32] }, ptr %p, i64 1, i32 1, <2 x i32> %i
  ret <2 x ptr> %a
}

define i32 @sum(<2 x i32> %a, <2 x i32> %b) {
  %frozen = freeze <2 x i32> %a
  %r = call { <2 x i32>, <2 x i1> } @llvm.uadd.with.overflow.v2i32(<2 x i32> %frozen, <2 x i32> %b)
  %v = extractvalue { <2 x i32>, <2 x i1> } %r, 0
  %o = extractvalue { <2 x i32>, <2 x i1> } %r, 1
  %s = select <2 x i1> %o, <2 x i32> <i32 1, i32 undef>, <2 x i32> %v
  %t = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %s)
  ret i32 %t
}

define <2 x i64> @upper(<4 x i64> %v) {
  %u = call <2 x i64> @llvm.vector.extract.v2i64.v4i64(<4 x i64> %v, i64 2)
  ret <2 x i64> %u
}
