; Float intrinsics that C reaches only by other ways.
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare double @llvm.minimum.f64(double, double)
declare i8 @llvm.fptosi.sat.i8.f64(double)
declare <2 x float> @llvm.pow.v2f32(<2 x float>, <2 x float>)
declare half @llvm.sin.f16(half)
declare fp128 @llvm.exp.f128(fp128)
declare i16 @llvm.convert.to.fp16.f32(float)
declare i1 @llvm.is.fpclass.f32(float, i32)
declare i64 @llvm.lround.i64.f64(double)

define double @ops(double %a, double %b, float %f) {
  %m = call double @llvm.minimum.f64(double %a, double %b)
  %s = call i8 @llvm.fptosi.sat.i8.f64(double %a)
  %h = call i16 @llvm.convert.to.fp16.f32(float %f)
  %n = call i1 @llvm.is.fpclass.f32(float %f, i32 512)
  %l = call i64 @llvm.lround.i64.f64(double %a)
  ret double %m
}

define <2 x float> @library(<2 x float> %a, half %h, fp128 %q) {
  %p = call <2 x float> @llvm.pow.v2f32(<2 x float> %a, <2 x float> %a)
  %s = call half @llvm.sin.f16(half %h)
  %e = call fp128 @llvm.exp.f128(fp128 %q)
  ret <2 x float> %p
}
