; What is not modeled: scalable vectors, values with too many lanes, tokens, unknown intrinsics.
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @llvm.x86.sse.ldmxcsr(ptr)
declare i64 @llvm.readcyclecounter()
declare <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8>, <16 x i8>)
declare ptr @llvm.returnaddress(i32)

define void @scalable(ptr %p) {
  %v = load <vscale x 4 x i32>, ptr %p
  %w = add <vscale x 4 x i32> %v, %v
  store <vscale x 4 x i32> %w, ptr %p
  ret void
}

define i8 @wide(ptr %p, ptr %q) {
  %v = load [200 x i8], ptr %p
  store [200 x i8] %v, ptr %q
  %x = extractvalue [200 x i8] %v, 7
  ret i8 %x
}

define i64 @intrinsics(ptr %p, <16 x i8> %v) {
  call void @llvm.x86.sse.ldmxcsr(ptr %p)
  %s = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> %v, <16 x i8> %v)
  %x = extractelement <16 x i8> %s, i32 3
  %r = call ptr @llvm.returnaddress(i32 0)
  %t = call i64 @llvm.readcyclecounter()
  ret i64 %t
}

define i32 @variadic(ptr %list) {
  %x = va_arg ptr %list, i32
  ret i32 %x
}
